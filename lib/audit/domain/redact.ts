import { findPersonalData } from './personal-data.ts';

/** What stands where something was hidden. */
export const REDACTION_MARK = '▇';

/** Names of fields whose values are hidden whole, whatever they hold. `totalTokens` is not one of them. */
const SECRET_FIELD =
  /^(?:pass(?:word|wd|phrase)?|pwd|secret|client_?secret|api_?key|access_?key|private_?key|secret_?key|(?:access|auth|refresh|id|session|bearer)_?token|token|authorization|cookie|set-cookie|credentials?|密码|口令|密钥|私钥|令牌)$/i;

/** The text with what is personal or secret in it replaced: `▇ email`. */
export function redactText(text: string): string {
  const spans = findPersonalData(text);
  if (spans.length === 0) return text;
  let shown = '';
  let from = 0;
  for (const { kind, start, end } of spans) {
    shown += `${text.slice(from, start)}${REDACTION_MARK} ${kind}`;
    from = end;
  }
  return shown + text.slice(from);
}

/** The text without what is personal in it and without marks: what may go into an index that everyone searches. */
export function withoutPersonalData(text: string): string {
  let kept = '';
  let from = 0;
  for (const { start, end } of findPersonalData(text)) {
    kept += `${text.slice(from, start)} `;
    from = end;
  }
  return kept + text.slice(from);
}

/**
 * The same of every text in a JSON value, names of fields and numbers included: a telephone number that a tool gave as a
 * number is one. Fields that are named for secrets are hidden whole.
 */
export function redactValue<Value>(value: Value): Value {
  return redact(value) as Value;
}

function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number') return redactNumber(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(redact);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      redactText(name),
      SECRET_FIELD.test(name) && item !== null && item !== '' ? `${REDACTION_MARK} secret` : redact(item),
    ]),
  );
}

/** Only whole numbers as long as a telephone's can be personal; nearly all numbers are not looked at. */
function redactNumber(value: number): unknown {
  if (!Number.isSafeInteger(value) || value < 1_000_000_000) return value;
  const text = String(value);
  const shown = redactText(text);
  return shown === text ? value : shown;
}
