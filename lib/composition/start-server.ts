import { log, setLogLevel } from '#lib/telemetry/index.ts';
import { armFaultPoint } from '#lib/testing/fault-hook.ts';
import { type Application, createApplication } from './application.ts';

/**
 * Builds the application, starts to drive runs, and drains on SIGTERM and SIGINT: nothing new is claimed, what runs gets its
 * time, then the process exits with 0. What is still running then is taken over by a peer or by the next start.
 */
export async function startServer(): Promise<void> {
  const app = await createApplication();
  setLogLevel(app.config.logLevel);
  if (app.config.faultPoint) armFaultPoint(app.config.faultPoint);
  globalThis.bailiwick = app;
  await app.start();
  log.info({ role: app.config.role, address: app.config.publicUrl.origin }, 'ready');
  drainOnSignal(app);
}

function drainOnSignal(app: Application): void {
  let isDraining = false;
  const drain = (signal: NodeJS.Signals) => {
    // A second signal does not wait.
    if (isDraining) process.exit(1);
    isDraining = true;
    log.info({ signal, drainMs: app.config.drainMs }, 'stopping');
    app
      .stop(app.config.drainMs)
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      });
  };
  process.on('SIGTERM', drain);
  process.on('SIGINT', drain);
}
