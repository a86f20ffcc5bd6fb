import { type Config, readConfig } from '#lib/config/index.ts';
import { systemClock } from '#lib/kernel/index.ts';
import { openDatabase } from '#db/client.ts';
import { createUnitOfWork } from '#db/unit-of-work.ts';
import { composeTenancy } from './tenancy.ts';

/** Everything the server can do, wired once. Each area has a file of its own beside this one. */
export function createApplication(config: Config = readConfig()) {
  const clock = systemClock;
  const database = openDatabase({
    databaseUrl: config.databaseUrl,
    role: 'bailiwick_app',
    max: config.databasePoolSize,
    name: 'app',
  });
  const unitOfWork = createUnitOfWork(database.orm, clock);
  return {
    config,
    clock,
    ...composeTenancy({ config, clock, database, unitOfWork }),
    close: () => database.close(),
  };
}

export type Application = ReturnType<typeof createApplication>;
