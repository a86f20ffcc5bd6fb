const FIRST_WORD_MS = 2_000;
const FURTHER_WORD_MS = 15_000;

/**
 * Does one step of the start and prints what came of it and how long it took. A slow step says after two seconds what it
 * is at, and goes on saying so.
 *
 * @param doing what stands there while it lasts, as in "Building the pages (a minute the first time)"
 */
export async function step<Result>(doing: string, work: () => Promise<Result>, outcome: (result: Result) => string): Promise<Result> {
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  let timer = setTimeout(() => {
    console.log(`  … ${doing}`);
    timer = setInterval(() => console.log(`  … still at it (${Math.round(Number(seconds()))} s)`), FURTHER_WORD_MS);
  }, FIRST_WORD_MS);
  try {
    const result = await work();
    console.log(`  ✓ ${outcome(result).padEnd(56)} ${seconds().padStart(6)} s`);
    return result;
  } catch (error) {
    console.log(`  ✗ ${doing.padEnd(56)} ${seconds().padStart(6)} s`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
