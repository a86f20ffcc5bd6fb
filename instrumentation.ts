/** Next calls this once a process, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { startServer } = await import('#lib/composition/start-server.ts');
  await startServer();
}
