/** Shorter ones are placeholders, such as `k` or `ollama`: they guard nothing, and hiding them would garble what was said. */
const SHORTEST_KEY = 8;

/** What a provider said, without the key: some repeat what they were sent, and what they say is shown and kept. */
export function hideKey(text: string, apiKey: string | null): string {
  return apiKey && apiKey.length >= SHORTEST_KEY ? text.replaceAll(apiKey, '••••') : text;
}
