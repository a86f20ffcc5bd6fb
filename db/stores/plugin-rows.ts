import { z } from 'zod';
import { parseId } from '#lib/kernel/index.ts';
import type { PluginInstall, PluginOperation, PluginSettings } from '#lib/plugins/index.ts';
import type { pluginOperation, tenantPluginInstall } from '../schema/index.ts';

const values = z.record(z.string(), z.json());
const secrets = z.record(z.string(), z.object({ keyId: z.string(), box: z.string(), hint: z.string() }));
const documents = z.array(
  z.object({
    key: z.string(),
    documentId: z.string().transform((text, context) => {
      const id = parseId('document', text);
      if (id) return id;
      context.addIssue({ code: 'custom', message: 'no id of a document' });
      return z.NEVER;
    }),
    version: z.number(),
  }),
);
const stage = z.enum(['verify', 'configure', 'knowledge', 'check', 'activate']);
const done = z.array(z.object({ stage, at: z.string() }));
const error = z.object({ stage, message: z.string() }).nullable();

export function readPluginSettings(row: { settings: unknown; secrets: unknown }): PluginSettings {
  return { values: values.parse(row.settings), secrets: secrets.parse(row.secrets) };
}

export function toInstall(row: typeof tenantPluginInstall.$inferSelect): PluginInstall {
  return {
    pluginId: row.pluginId,
    version: row.version,
    isEnabled: row.isEnabled,
    permissions: row.permissions,
    settings: readPluginSettings(row),
    documents: documents.parse(row.documents),
    installedBy: row.installedBy,
    installedAt: row.installedAt,
    updatedAt: row.updatedAt,
  };
}

export function toOperation(row: typeof pluginOperation.$inferSelect): PluginOperation {
  return {
    id: row.id,
    pluginId: row.pluginId,
    kind: row.kind === 'upgrade' ? 'upgrade' : 'install',
    state: z.enum(['RUNNING', 'SUCCEEDED', 'FAILED']).parse(row.state),
    version: row.version,
    permissions: row.permissions,
    settings: readPluginSettings(row),
    done: done.parse(row.done),
    documents: documents.parse(row.documents),
    error: error.parse(row.error),
    requester: { userId: row.requestedBy, ...(row.apiKeyId && { apiKeyId: row.apiKeyId }) },
    createdAt: row.createdAt,
    endedAt: row.endedAt,
  };
}
