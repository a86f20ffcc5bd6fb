/**
 * `read`, shared by all who ask for the same key before anything else can happen: the parts of a segment that begin together
 * read once. Whoever asks later reads anew, so nothing is seen as it was before it was asked for.
 */
export function readOnceAMoment<Key, Value>(read: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const asked = new Map<Key, Promise<Value>>();
  return (key) => {
    const known = asked.get(key);
    if (known) return known;
    const reading = read(key);
    asked.set(key, reading);
    queueMicrotask(() => asked.delete(key));
    return reading;
  };
}
