import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '#lib/kernel/index.ts';
import { type MailSettings, readMailSettings } from './mail-settings.ts';
import { type McpProgram, readMcpPrograms } from './mcp-programs.ts';
import { readTraceSettings, type TraceSettings } from './trace-settings.ts';

export type { McpProgram } from './mcp-programs.ts';
export { createSecretBox, type Sealed, type SecretBox } from './secret-box.ts';

const flag = z.enum(['0', '1']).transform((value) => value === '1');
const wholeNumber = z.coerce.number().int().positive();
const countOrNone = z.coerce.number().int().min(0);

/** Every setting, with its default. `.env.example` explains each one to operators. */
const environment = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber.default(3000),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  BAILIWICK_SECRET: z.string().min(32),
  EMBEDDED_DATABASE: flag.default(false),
  DEMO: flag.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DATABASE_POOL_SIZE: wholeNumber.default(10),
  RUN_TIME_LIMIT_MS: wholeNumber.default(300_000),
  APPROVAL_WINDOW_MS: wholeNumber.default(86_400_000),
  MAX_ACTIVE_SEGMENTS: wholeNumber.default(200),
  HEARTBEAT_MS: wholeNumber.default(15_000),
  TAKEOVER_TICK_MS: wholeNumber.default(1_000),
  RECONCILE_TICK_MS: wholeNumber.default(5_000),
  DRAIN_MS: wholeNumber.default(20_000),
  DELTA_RETENTION_MS: wholeNumber.default(3_600_000),
  REVEAL_LASTS_MS: wholeNumber.default(600_000),
  EXPORT_LEASE_MS: wholeNumber.default(20_000),
  SIGN_IN_ATTEMPTS: wholeNumber.default(10),
  SIGN_IN_WINDOW_MS: wholeNumber.default(900_000),
  REQUESTS_PER_USER: countOrNone.default(600),
  REQUESTS_PER_KEY: countOrNone.default(1_200),
  REQUESTS_PER_TENANT: countOrNone.default(12_000),
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_LABEL: z.string().max(60).optional(),
  OIDC_SCOPE: z.string().default('openid email profile'),
  OIDC_GROUPS_CLAIM: z.string().default('groups'),
  METRICS_TOKEN: z.string().min(16).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().default(''),
  OTEL_SERVICE_NAME: z.string().default('bailiwick'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().max(320).optional(),
  MAIL_DELAY_MS: countOrNone.default(60_000),
  NOTIFICATION_ATTEMPTS: wholeNumber.default(8),
  NOTIFICATION_RETRY_MS: wholeNumber.default(5_000),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: z.url().optional(),
  OPENAI_MODEL: z.string().default('gpt-5-mini'),
  ANTHROPIC_API_KEY: z.string().optional(),
  ANTHROPIC_BASE_URL: z.url().optional(),
  ANTHROPIC_MODEL: z.string().default('claude-sonnet-4-5'),
  COMPATIBLE_BASE_URL: z.url().optional(),
  COMPATIBLE_API_KEY: z.string().optional(),
  COMPATIBLE_MODEL: z.string().optional(),
  OUTBOUND_ALLOW: z.string().default(''),
  MCP_PROGRAMS: z.string().optional(),
  MCP_CHECK_MS: wholeNumber.default(60_000),
  MCP_IDLE_MS: wholeNumber.default(60_000),
  NEO4J_URL: z.url().optional(),
  NEO4J_DATABASE: z.string().default('neo4j'),
  NEO4J_USER: z.string().default('neo4j'),
  NEO4J_PASSWORD: z.string().default(''),
  TEST_EFFECTS_URL: z.url().optional(),
  FAULT_POINT: z.string().optional(),
});

export interface EnvironmentModel {
  readonly kind: 'openai' | 'anthropic' | 'compatible';
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  readonly model: string;
}

export interface EnvironmentOidc {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly label: string | null;
  readonly scope: string;
  readonly groupsClaim: string;
}

export interface Config {
  readonly databaseUrl: string;
  readonly publicUrl: URL;
  readonly host: string;
  readonly port: number;
  readonly role: 'all' | 'web' | 'worker';
  readonly secret: string;
  /** Told apart in cookie names, so that two instances on one host do not sign each other out. */
  readonly instanceId: string;
  readonly isDatabaseEmbedded: boolean;
  readonly demo: boolean | undefined;
  readonly logLevel: string;
  readonly databasePoolSize: number;
  readonly runTimeLimitMs: number;
  /** How long people have to decide about a call. */
  readonly approvalWindowMs: number;
  readonly maxActiveSegments: number;
  readonly heartbeatMs: number;
  readonly takeoverTickMs: number;
  readonly reconcileTickMs: number;
  readonly drainMs: number;
  readonly deltaRetentionMs: number;
  readonly revealLastsMs: number;
  readonly exportLeaseMs: number;
  readonly signInAttempts: number;
  readonly signInWindowMs: number;
  /** Requests of the API a minute; 0: no limit. */
  readonly requestsPerUser: number;
  readonly requestsPerKey: number;
  readonly requestsPerTenant: number;
  /** The provider by which people sign in beside passwords; null: none. */
  readonly oidc: EnvironmentOidc | null;
  readonly metricsToken: string | undefined;
  /** Where traces of runs go; null: nowhere. */
  readonly traces: TraceSettings | null;
  /** The server through which people are written to; null: nobody is. */
  readonly mail: MailSettings | null;
  /** How long a mail waits: what was decided by then is not written about. */
  readonly mailDelayMs: number;
  /** Attempts to deliver a notification before it is given up, and the wait after the first. */
  readonly notificationAttempts: number;
  readonly notificationRetryMs: number;
  /** The model that the operator offers to every tenant; null: none. */
  readonly model: EnvironmentModel | null;
  /** Names, addresses and networks beside the public ones that may be called: `localhost,10.0.0.0/8`. */
  readonly outboundAllow: string;
  /** Local programs that every tenant may use as MCP servers. */
  readonly mcpPrograms: readonly McpProgram[];
  /** How often each MCP server is looked at, beside what it tells by itself. */
  readonly mcpCheckMs: number;
  /** How long an MCP server may be silent during a request. */
  readonly mcpIdleMs: number;
  /** Where sessions and runs are mirrored; undefined: nowhere. */
  readonly neo4j: { readonly url: string; readonly database: string; readonly user: string; readonly password: string } | undefined;
  readonly testEffectsUrl: string | undefined;
  readonly faultPoint: string | undefined;
}

/** Reads the environment once. Throws `invalid_request` naming each setting that is missing or malformed. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new AppError({
      code: 'invalid_request',
      message: `The settings are not complete:\n  ${problems.join('\n  ')}\nSee .env.example.`,
    });
  }
  const settings = parsed.data;
  return {
    databaseUrl: settings.DATABASE_URL,
    publicUrl: new URL(settings.PUBLIC_URL ?? `http://${settings.HOST === '0.0.0.0' ? '127.0.0.1' : settings.HOST}:${settings.PORT}`),
    host: settings.HOST,
    port: settings.PORT,
    role: settings.ROLE,
    secret: settings.BAILIWICK_SECRET,
    instanceId: createHash('sha256').update(`instance:${settings.BAILIWICK_SECRET}`).digest('hex').slice(0, 8),
    isDatabaseEmbedded: settings.EMBEDDED_DATABASE,
    demo: settings.DEMO,
    logLevel: settings.LOG_LEVEL,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    runTimeLimitMs: settings.RUN_TIME_LIMIT_MS,
    approvalWindowMs: settings.APPROVAL_WINDOW_MS,
    maxActiveSegments: settings.MAX_ACTIVE_SEGMENTS,
    heartbeatMs: settings.HEARTBEAT_MS,
    takeoverTickMs: settings.TAKEOVER_TICK_MS,
    reconcileTickMs: settings.RECONCILE_TICK_MS,
    drainMs: settings.DRAIN_MS,
    deltaRetentionMs: settings.DELTA_RETENTION_MS,
    revealLastsMs: settings.REVEAL_LASTS_MS,
    exportLeaseMs: settings.EXPORT_LEASE_MS,
    signInAttempts: settings.SIGN_IN_ATTEMPTS,
    signInWindowMs: settings.SIGN_IN_WINDOW_MS,
    requestsPerUser: settings.REQUESTS_PER_USER,
    requestsPerKey: settings.REQUESTS_PER_KEY,
    requestsPerTenant: settings.REQUESTS_PER_TENANT,
    oidc: readOidc(settings),
    metricsToken: settings.METRICS_TOKEN,
    traces: readTraceSettings({
      endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
      headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
      serviceName: settings.OTEL_SERVICE_NAME,
      share: settings.OTEL_TRACES_SAMPLER_ARG,
    }),
    mail: readMailSettings({ url: settings.SMTP_URL, from: settings.MAIL_FROM }),
    mailDelayMs: settings.MAIL_DELAY_MS,
    notificationAttempts: settings.NOTIFICATION_ATTEMPTS,
    notificationRetryMs: settings.NOTIFICATION_RETRY_MS,
    model: readModel(settings),
    outboundAllow: settings.OUTBOUND_ALLOW,
    mcpPrograms: readMcpPrograms(settings.MCP_PROGRAMS),
    mcpCheckMs: settings.MCP_CHECK_MS,
    mcpIdleMs: settings.MCP_IDLE_MS,
    neo4j: settings.NEO4J_URL
      ? { url: settings.NEO4J_URL, database: settings.NEO4J_DATABASE, user: settings.NEO4J_USER, password: settings.NEO4J_PASSWORD }
      : undefined,
    testEffectsUrl: settings.TEST_EFFECTS_URL,
    faultPoint: settings.FAULT_POINT,
  };
}

/** The first that is complete: OpenAI, Anthropic, then any compatible endpoint. */
function readModel(settings: z.infer<typeof environment>): EnvironmentModel | null {
  if (settings.OPENAI_API_KEY) {
    return { kind: 'openai', baseUrl: settings.OPENAI_BASE_URL ?? null, apiKey: settings.OPENAI_API_KEY, model: settings.OPENAI_MODEL };
  }
  if (settings.ANTHROPIC_API_KEY) {
    return {
      kind: 'anthropic',
      baseUrl: settings.ANTHROPIC_BASE_URL ?? null,
      apiKey: settings.ANTHROPIC_API_KEY,
      model: settings.ANTHROPIC_MODEL,
    };
  }
  if (settings.COMPATIBLE_BASE_URL && settings.COMPATIBLE_MODEL) {
    return {
      kind: 'compatible',
      baseUrl: settings.COMPATIBLE_BASE_URL,
      apiKey: settings.COMPATIBLE_API_KEY ?? null,
      model: settings.COMPATIBLE_MODEL,
    };
  }
  return null;
}

/** All three settings or none. Tokens and the client's secret travel to the provider: over TLS, but for one on this machine. */
function readOidc(settings: z.infer<typeof environment>): EnvironmentOidc | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  if (!issuer && !clientId && !clientSecret) return null;
  if (!issuer || !clientId || !clientSecret) {
    throw new AppError({
      code: 'invalid_request',
      message: 'Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET together, or none of them.',
    });
  }
  const { protocol, hostname } = new URL(issuer);
  if (protocol !== 'https:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    throw new AppError({ code: 'invalid_request', message: 'OIDC_ISSUER must be an https address.' });
  }
  const { OIDC_LABEL: label = null, OIDC_SCOPE: scope, OIDC_GROUPS_CLAIM: groupsClaim } = settings;
  return { issuer, clientId, clientSecret, label, scope, groupsClaim };
}
