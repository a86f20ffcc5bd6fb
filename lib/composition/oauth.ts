import type { Database } from '#db/client.ts';
import type { TenantStores } from '#db/stores/index.ts';
import { createPlatformUnitOfWork } from '#db/stores/platform-stores.ts';
import { apiKeyMint, linkTokens } from '#lib/auth/index.ts';
import type { Config } from '#lib/config/index.ts';
import type { Clock, UnitOfWork } from '#lib/kernel/index.ts';
import { authorizeClient, endProgram, exchangeToken, listPrograms, readAuthorization, registerClient } from '#lib/oauth/index.ts';

/** Programs that act for a person who has allowed it. */
export function composeOAuth(parts: { config: Config; clock: Clock; database: Database; unitOfWork: UnitOfWork<TenantStores> }) {
  const { config, clock, database, unitOfWork } = parts;
  const platformUnitOfWork = createPlatformUnitOfWork(database.orm, clock);
  const deps = { platformUnitOfWork, unitOfWork, clock, apiKeyMint, linkTokens, resource: `${config.publicUrl.origin}/api/mcp` };
  return {
    registerProgram: registerClient(deps),
    readProgramAuthorization: readAuthorization(deps),
    authorizeProgram: authorizeClient(deps),
    exchangeToken: exchangeToken(deps),
    listPrograms: listPrograms(deps),
    endProgram: endProgram(deps),
  };
}
