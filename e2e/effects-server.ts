import { createServer, type IncomingMessage, type Server } from 'node:http';
import { z } from 'zod';

/** One side effect of a test capability, as the outside world saw it. */
const effect = z.object({ label: z.string(), kind: z.string(), key: z.string(), runId: z.string() });
export type Effect = z.infer<typeof effect>;

/**
 * Counts the side effects of the test capabilities in a process that is not the product's. `GET /` lists them. One whose
 * label begins with `refused` is answered with 500.
 */
export function startEffectsServer(port: number): Promise<Server> {
  const effects: Effect[] = [];
  const answer = async (request: IncomingMessage) => {
    if (request.method !== 'POST') return effects;
    const asked = effect.parse(await readJson(request));
    if (asked.label.startsWith('refused')) throw new Error('refused');
    effects.push(asked);
    return {};
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (body) => response.end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** The effects so far that carry this label. */
export async function listEffects(label: string): Promise<Effect[]> {
  const response = await fetch(`http://127.0.0.1:${process.env.E2E_EFFECTS_PORT}/`);
  return z
    .array(effect)
    .parse(await response.json())
    .filter((entry) => entry.label === label);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text);
}
