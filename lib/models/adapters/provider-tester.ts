import { messageOf } from '#lib/kernel/index.ts';
import type { ProviderTestView } from '../contract.ts';
import { hideKey } from '../domain/hide-key.ts';
import type { StoredProvider } from '../domain/stored-provider.ts';
import type { LanguageModel, ProviderTester } from '../ports.ts';

const OWN_ADDRESS = { openai: 'https://api.openai.com/v1', anthropic: 'https://api.anthropic.com/v1', compatible: '' } as const;
const TIMEOUT_MS = 20_000;

type Part = NonNullable<ProviderTestView['call']>;

/** The call goes through `open`, as a run's would: a test that passes means that runs work. */
export function createProviderTester(options: {
  fetch: typeof globalThis.fetch;
  open: (tenantId: Parameters<ProviderTester['test']>[0], provider: StoredProvider) => { model: LanguageModel; apiKey: string | null };
}): ProviderTester {
  return {
    async test(tenantId, provider) {
      const base = (provider.baseUrl ?? OWN_ADDRESS[provider.kind]).replace(/\/$/, '');
      const url = `${base}/models`;
      const at = new Date().toISOString();
      const reach = await timed(async () => {
        const response = await options.fetch(url, { method: 'GET', signal: AbortSignal.timeout(TIMEOUT_MS) });
        await response.body?.cancel();
        return `answered ${response.status}`;
      });
      if (!reach.ok) return { at, url, reach, authenticate: null, call: null };
      const { model, apiKey } = options.open(tenantId, provider);
      const authenticate = await timed(async () => {
        const response = await options.fetch(url, { headers: headersFor(provider, apiKey), signal: AbortSignal.timeout(TIMEOUT_MS) });
        const text = hideKey(await response.text(), apiKey).slice(0, 300);
        if (response.status === 401 || response.status === 403) throw new Error(`the key was refused with ${response.status}: ${text}`);
        return response.ok ? 'accepted' : `not checked: ${url} answered ${response.status}`;
      });
      if (!authenticate.ok) return { at, url, reach, authenticate, call: null };
      const call = await timed(async () => {
        let text = '';
        const request = {
          messages: [{ role: 'user', content: 'Answer with the word ready.' }] as const,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        };
        for await (const part of model.call(request)) if (part.type === 'text-delta') text += part.text;
        return hideKey(text, apiKey).slice(0, 100) || 'an empty answer';
      });
      return { at, url, reach, authenticate, call };
    },
  };
}

function headersFor({ kind }: StoredProvider, apiKey: string | null): Record<string, string> {
  if (apiKey === null) return {};
  return kind === 'anthropic' ? { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' } : { authorization: `Bearer ${apiKey}` };
}

async function timed(work: () => Promise<string>): Promise<Part> {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  try {
    return { ok: true, detail: await work(), ms: ms() };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    return { ok: false, detail: `${messageOf(error)}${cause}`, ms: ms() };
  }
}
