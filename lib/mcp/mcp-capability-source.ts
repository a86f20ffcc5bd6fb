import type { CapabilityMetadata, CapabilitySource } from '#lib/capabilities/index.ts';
import type { Id } from '#lib/kernel/index.ts';
import { type ToolCallDependencies, toCapability } from './mcp-capabilities.ts';
import type { McpChangeFeed, ServedToolReader } from './ports.ts';

export interface McpCapabilitySource extends ToolCallDependencies {
  readonly reader: ServedToolReader;
  readonly feed: McpChangeFeed;
}

/**
 * The tools of a tenant's MCP servers as capabilities. The list is kept until a change is announced (requirement H-22); a call
 * reads its tool anew, so one that was put aside or switched off is gone with the next call, whatever a list still says.
 */
export function createMcpCapabilitySource(dependencies: McpCapabilitySource): CapabilitySource {
  const lists = new Map<Id<'tenant'>, Promise<CapabilityMetadata[]>>();
  /** What was seen of tools, for the record of calls that were made. */
  const seen = new Map<Id<'tenant'>, Map<string, CapabilityMetadata>>();
  dependencies.feed.onChange((tenantId) => {
    if (tenantId) lists.delete(tenantId);
    else lists.clear();
  });

  function remember(tenantId: Id<'tenant'>, metadata: CapabilityMetadata): CapabilityMetadata {
    const ofTenant = seen.get(tenantId) ?? new Map<string, CapabilityMetadata>();
    seen.set(tenantId, ofTenant.set(metadata.id, metadata));
    return metadata;
  }

  async function read(tenantId: Id<'tenant'>): Promise<CapabilityMetadata[]> {
    const served = await dependencies.reader.list({ tenantId });
    return served.map((one) => remember(tenantId, toCapability(dependencies, one).metadata));
  }

  return {
    async find(tenantId, capabilityId) {
      if (!capabilityId.includes('.')) return undefined;
      const served = await dependencies.reader.find({ tenantId }, capabilityId);
      if (!served) return undefined;
      const capability = toCapability(dependencies, served);
      remember(tenantId, capability.metadata);
      return capability;
    },
    list(tenantId) {
      const known = lists.get(tenantId);
      if (known) return known;
      const reading = read(tenantId);
      lists.set(tenantId, reading);
      // Not kept: the next who asks tries again.
      reading.catch(() => lists.get(tenantId) === reading && lists.delete(tenantId));
      return reading;
    },
    describe: (tenantId, capabilityId) => seen.get(tenantId)?.get(capabilityId),
  };
}
