import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endOwned, spawnOwned } from '../owned-process.ts';

/** Starts the scripted model in a process of its own. */
export async function startModel(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawnOwned([path.join(import.meta.dirname, 'model-server.ts')], {
    cwd: import.meta.dirname,
    env: { ...process.env, PORT: '0' },
    output: 'pipe',
    graceMs: 0,
  });
  if (!child.stdout || !child.stderr) throw new Error('the model server has no output');
  child.stderr.pipe(process.stderr);
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the model server ended with ${code}`);
    }),
  ]);
  return { url: `http://127.0.0.1:${String(line).split(' ')[1]}`, stop: () => endOwned(child, 1_000) };
}
