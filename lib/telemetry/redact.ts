/** What stands in the place of a secret. */
export const REDACTED = '[redacted]';

/** Whole names, written without `-`, `_` and capitals; `*token`, `*secret` and their like below. */
const SECRET_NAMES = new Set(['passwd', 'passphrase', 'setupcode', 'credential', 'credentials', 'sealedkey', 'databaseurl']);
/** `tokens` is none of them: what a model has used is counted in tokens. */
const SECRET_ENDING = /(password|passwordhash|secret|token|apikey|authorization|cookie|privatekey|connectionstring)$/;

/** Deeper than anything that is logged on purpose. */
const MAX_DEPTH = 8;

function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[-_]/g, '');
  return SECRET_NAMES.has(plain) || SECRET_ENDING.test(plain);
}

/** A copy without the values of secret names, wherever they stand; errors are left to their serializer. */
export function redactNames(value: unknown, depth = 0, above: readonly object[] = []): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value;
  if (above.includes(value)) return '[circular]';
  if (depth >= MAX_DEPTH) return '[too deep]';
  const within = [...above, value];
  if (Array.isArray(value)) return value.map((item) => redactNames(item, depth + 1, within));
  const given = value instanceof Map || value instanceof Headers ? Object.fromEntries(value) : value;
  return Object.fromEntries(
    Object.entries(given).map(([name, item]) => [
      name,
      isSecretName(name) && item !== null ? REDACTED : redactNames(item, depth + 1, within),
    ]),
  );
}

/** Shapes that are secret under any name, in any text: what goes before stays, so that a reader sees what was there. */
const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  // Our own keys, providers' keys, signed tokens.
  [/\bbw_[A-Za-z0-9_-]{20,}/g, REDACTED],
  [/\bsk-[A-Za-z0-9_-]{8,}/g, REDACTED],
  [/\bey[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g, REDACTED],
  [/\b([Bb]earer)\s+[A-Za-z0-9._~+/=-]{8,}/g, `$1 ${REDACTED}`],
  // "Basic information" is none.
  [/\b([Bb]asic)\s+(?=[A-Za-z+/]*[0-9=+/])[A-Za-z0-9+/=]{8,}/g, `$1 ${REDACTED}`],
  // user:password@ in an address.
  [/([a-z][a-z0-9+.-]*:\/\/[^\s:/@"\\]*):[^\s/@"\\]+@/gi, `$1:${REDACTED}@`],
  // name=value in an address or a form.
  [/\b((?:api[-_]?key|access[-_]?token|refresh[-_]?token|client[-_]?secret|token|password)=)[^\s&"\\]+/gi, `$1${REDACTED}`],
  // "name":"value" in JSON that stands in a text, quoted once or more.
  [/(\\*"(?:[a-z_-]*(?:password|secret|token|api[-_]?key|authorization|cookie))\\*"\s*:\s*\\*")(?:[^"\\]|\\(?!"))+/gi, `$1${REDACTED}`],
];

/** The text without what has the shape of a secret. */
export function redactShapes(text: string): string {
  return SECRET_SHAPES.reduce((rest, [shape, put]) => rest.replace(shape, put), text);
}
