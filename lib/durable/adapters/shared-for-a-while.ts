/** `read`, once for all who ask within `lastsMs`; what failed is read anew. */
export function sharedForAWhile<Value>(lastsMs: number, read: () => Promise<Value>, now = () => performance.now()): () => Promise<Value> {
  let known: { readonly value: Promise<Value>; readonly untilMs: number } | null = null;
  return () => {
    if (known && now() < known.untilMs) return known.value;
    const value = read();
    const reading = { value, untilMs: now() + lastsMs };
    known = reading;
    value.catch(() => {
      if (known === reading) known = null;
    });
    return value;
  };
}
