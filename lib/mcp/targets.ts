import { z } from 'zod';
import { AppError, type TenantScope } from '#lib/kernel/index.ts';
import { type AccountDependencies, openSignIn } from './account-tokens.ts';
import { headersContext, type McpServer } from './domain/server.ts';
import type { McpTarget, StdioProgram } from './ports.ts';

export interface TargetDependencies extends AccountDependencies {
  readonly programs: ReadonlyMap<string, StdioProgram>;
}

export const sealedHeaders = z.record(z.string(), z.string());

/**
 * Where a call to a server leads now. Throws `not_found` where the operator no longer offers its program, and `conflict` where
 * its headers were sealed by another deployment; where each person signs in, `unauthenticated` for one who has not connected.
 */
export async function resolveTarget(dependencies: TargetDependencies, scope: TenantScope, server: McpServer): Promise<McpTarget> {
  const { programs, sealer } = dependencies;
  const { id: serverId, name, reach, revision } = server;
  const base = { tenantId: scope.tenantId, serverId, name, revision, userId: null, signIn: null };
  if (reach.transport === 'http' && server.auth === 'oauth') {
    const signIn = await openSignIn(dependencies, scope, server);
    return { ...base, userId: signIn.userId, signIn, reach: { transport: 'http', url: new URL(reach.url), headers: {} } };
  }
  if (reach.transport === 'http') {
    const sealed = server.sealedHeaders;
    const headers = sealed ? sealedHeaders.parse(JSON.parse(sealer.open(sealed, headersContext(scope.tenantId, serverId)))) : {};
    return { ...base, reach: { transport: 'http', url: new URL(reach.url), headers } };
  }
  const program = programs.get(reach.program);
  if (!program) {
    throw new AppError({
      code: 'not_found',
      message: `The operator no longer offers the program ${reach.program} of the MCP server ${name}.`,
    });
  }
  return { ...base, reach: { transport: 'stdio', program } };
}
