import { pino } from 'pino';
import { log } from '#lib/telemetry/index.ts';

export interface LogLine {
  readonly [name: string]: unknown;
}

/** What is logged from here on in this process, line by line, in the place of standard output. */
export function captureLog(level = 'debug'): { readonly lines: LogLine[]; stop(): void } {
  const lines: LogLine[] = [];
  const [before, levelBefore]: unknown[] = [Reflect.get(log, pino.symbols.streamSym), log.level];
  Reflect.set(log, pino.symbols.streamSym, { write: (text: string) => void lines.push(JSON.parse(text)) });
  log.level = level;
  return {
    lines,
    stop() {
      Reflect.set(log, pino.symbols.streamSym, before);
      log.level = String(levelBefore);
    },
  };
}
