import type { NextConfig } from 'next';
import createNextIntlPlugin from 'next-intl/plugin';

const config: NextConfig = {
  poweredByHeader: false,
  typedRoutes: false,
  // Next would compress event streams too, at ten times the processor time of sending them as they are. A proxy in front
  // may compress what is static.
  compress: false,
  // Left to Node: these look for files beside themselves or must exist once in the process.
  serverExternalPackages: ['@dbos-inc/dbos-sdk', 'gpt-tokenizer', 'mathjs', 'pg', 'pino', 'postgres', 'prom-client', 'unpdf'],
};

export default createNextIntlPlugin({
  requestConfig: './lib/i18n/request.ts',
  // Messages are parsed when the product is built, so that no browser is sent a parser for them.
  experimental: { messages: { path: './lib/i18n/messages', format: 'json', locales: 'infer', precompile: true } },
})(config);
