import { z } from 'zod';
import { AppError, type TenantScope } from '#lib/kernel/index.ts';
import { headersContext, type McpServer } from './domain/server.ts';
import type { HeaderSealer, McpTarget, StdioProgram } from './ports.ts';

export interface TargetDependencies {
  readonly programs: ReadonlyMap<string, StdioProgram>;
  readonly sealer: HeaderSealer;
}

export const sealedHeaders = z.record(z.string(), z.string());

/**
 * Where a call to a server leads now. Throws `not_found` where the operator no longer offers its program, and `conflict` where
 * its headers were sealed by another deployment.
 */
export function resolveTarget({ programs, sealer }: TargetDependencies, scope: TenantScope, server: McpServer): McpTarget {
  const { id: serverId, name, reach, revision } = server;
  const base = { tenantId: scope.tenantId, serverId, name, revision, userId: null };
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
