import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { endOwned, spawnOwned } from '../owned-process.ts';
import { type RecordedEffect, recordedEffect } from './recorded-effect.ts';

/** The process that counts side effects. */
export interface EffectsProcess {
  /** What a server process of this point is given as TEST_EFFECTS_URL. */
  urlFor(point: string, delays: { beforeMs: number; afterMs: number }): string;
  list(point: string): Promise<RecordedEffect[]>;
  stop(): Promise<void>;
}

const started = z.object({ port: z.number() });

/** Starts it; `file` keeps every effect for whoever looks into a failure. */
export async function startEffectsProcess(file: string): Promise<EffectsProcess> {
  const script = path.join(import.meta.dirname, 'effects-server.ts');
  const child = spawnOwned([script, file], { cwd: process.cwd(), env: process.env, output: 'pipe', graceMs: 0 });
  child.stderr?.pipe(process.stderr);
  if (!child.stdout) throw new Error('the effects server has no output');
  const lines = createInterface({ input: child.stdout });
  const first = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', () => reject(new Error('the effects server did not start')));
  });
  const { port } = started.parse(JSON.parse(first));
  const base = `http://127.0.0.1:${port}`;
  return {
    urlFor: (point, { beforeMs, afterMs }) => `${base}/${point}?before=${beforeMs}&after=${afterMs}`,
    list: async (point) => z.array(recordedEffect).parse(await (await fetch(`${base}/${point}`)).json()),
    stop: () => endOwned(child, 1_000),
  };
}
