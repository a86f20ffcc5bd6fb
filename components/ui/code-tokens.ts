/** What a piece of code is; null: nothing in particular. */
export type CodeKind = 'comment' | 'string' | 'number' | 'keyword' | null;

export interface CodeToken {
  readonly kind: CodeKind;
  readonly text: string;
}

interface Grammar {
  readonly comments: string;
  readonly strings: string;
  readonly keywords: ReadonlySet<string>;
  readonly ignoresCase?: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const BLOCK = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`;
const HASH = String.raw`#[^\n]*`;
const QUOTED = String.raw`"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?`;
const TEMPLATE = '`(?:\\\\[\\s\\S]|[^`\\\\])*`?';

const SCRIPT: Grammar = {
  comments: BLOCK,
  strings: `${QUOTED}|${TEMPLATE}`,
  keywords: words(
    'abstract as async await break case catch class const continue default delete do else enum export extends false finally for from function get if implements import in instanceof interface let new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while with yield',
  ),
};
const COMPILED: Grammar = {
  comments: BLOCK,
  strings: QUOTED,
  keywords: words(
    'abstract auto bool boolean break byte case catch chan char class const continue crate default defer delete do double else enum export extends extern false final finally float fn for func go goto if impl implements import in include inline instanceof int interface let long loop map match mod move mut namespace new nil null nullptr package private protected pub public range return select self short signed sizeof static string struct super switch template this throw throws trait true try type typedef union unsafe unsigned use using var virtual void volatile where while',
  ),
};
const PYTHON: Grammar = {
  comments: HASH,
  strings: String.raw`"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|${QUOTED}`,
  keywords: words(
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield',
  ),
};
const SHELL: Grammar = {
  comments: String.raw`(?<![^\s;])#[^\n]*`,
  strings: String.raw`"(?:\\[\s\S]|[^"\\])*"?|'[^']*'?`,
  keywords: words('case cd do done echo elif else esac exit export fi for function if in local read return set source then until while'),
};
const SQL: Grammar = {
  comments: String.raw`--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`,
  strings: String.raw`'(?:''|[^'])*'?|"[^"]*"?`,
  ignoresCase: true,
  keywords: words(
    'add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists false foreign from full group having if in index inner insert into is join key left like limit not null on or order outer primary references returning right rollback select set table then true union unique update using values view when where with',
  ),
};
const YAML: Grammar = { comments: String.raw`(?<!\S)#[^\n]*`, strings: QUOTED, keywords: words('true false null yes no') };
const JSON_TEXT: Grammar = { comments: BLOCK, strings: String.raw`"(?:\\[\s\S]|[^"\\\n])*"?`, keywords: words('true false null') };
const MARKUP: Grammar = { comments: String.raw`<!--[\s\S]*?(?:-->|$)`, strings: QUOTED, keywords: words('') };

const GRAMMARS: ReadonlyMap<string, Grammar> = new Map([
  ...['js', 'javascript', 'jsx', 'ts', 'typescript', 'tsx', 'mjs'].map((name) => [name, SCRIPT] as const),
  ...['java', 'go', 'rust', 'rs', 'c', 'cpp', 'c++', 'cs', 'csharp', 'kotlin', 'swift', 'css', 'php'].map(
    (name) => [name, COMPILED] as const,
  ),
  ...['py', 'python'].map((name) => [name, PYTHON] as const),
  ...['sh', 'bash', 'shell', 'zsh'].map((name) => [name, SHELL] as const),
  ['sql', SQL],
  ...['yaml', 'yml', 'toml'].map((name) => [name, YAML] as const),
  ...['json', 'jsonc'].map((name) => [name, JSON_TEXT] as const),
  ...['html', 'xml', 'svg'].map((name) => [name, MARKUP] as const),
]);

/** Longer code is shown plain: it is read less than it is copied. */
const LENGTH_LIMIT = 20_000;

/** Cuts code into what is to be told apart. One piece without a kind for a language that is not known; text is never changed. */
export function tokenizeCode(text: string, language: string | undefined): CodeToken[] {
  const grammar = GRAMMARS.get(language?.toLowerCase() ?? '');
  if (!grammar || text.length > LENGTH_LIMIT) return [{ kind: null, text }];
  const pattern = new RegExp(`(${grammar.comments})|(${grammar.strings})|((?<![\\w.])\\d[\\w.]*)|([A-Za-z_$][\\w$]*)`, 'g');
  const tokens: CodeToken[] = [];
  const add = (kind: CodeKind, piece: string) => {
    const last = tokens.at(-1);
    if (piece === '') return;
    if (last?.kind === kind) tokens[tokens.length - 1] = { kind, text: last.text + piece };
    else tokens.push({ kind, text: piece });
  };
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [whole, comment, string, number, word] = match;
    add(null, text.slice(end, match.index));
    const isKeyword = word !== undefined && grammar.keywords.has(grammar.ignoresCase ? word.toLowerCase() : word);
    add(
      comment !== undefined ? 'comment' : string !== undefined ? 'string' : number !== undefined ? 'number' : isKeyword ? 'keyword' : null,
      whole,
    );
    end = match.index + whole.length;
  }
  add(null, text.slice(end));
  return tokens;
}
