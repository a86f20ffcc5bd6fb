import { type CodeKind, tokenizeCode } from './code-tokens.ts';

const LOOKS: { readonly [Kind in Exclude<CodeKind, null>]: string } = {
  comment: 'text-muted-foreground',
  string: 'text-ok',
  number: 'text-warn',
  keyword: 'font-medium text-info',
};

/** Code with its comments, texts, numbers and words of the language told apart. */
export default function HighlightedCode({ text, language }: { text: string; language: string | undefined }) {
  return tokenizeCode(text, language).map((token, index) =>
    token.kind === null ? (
      token.text
    ) : (
      <span key={index} className={LOOKS[token.kind]}>
        {token.text}
      </span>
    ),
  );
}
