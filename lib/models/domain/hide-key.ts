/** What a provider said, without the key: some repeat what they were sent, and what they say is shown and kept. */
export function hideKey(text: string, apiKey: string | null): string {
  return apiKey ? text.replaceAll(apiKey, '••••') : text;
}
