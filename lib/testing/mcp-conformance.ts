/**
 * The scenarios of the protocol's conformance suite (2025-11-25), with what is expected of each: null to pass, else why it cannot.
 * A scenario that passes although it is said to fail fails its test, so that no reason outlives itself.
 */
export const CLIENT_SCENARIOS: Readonly<Record<string, string | null>> = {
  initialize: null,
  tools_call: null,
  'sse-retry': null,
  'elicitation-sep1034-client-defaults': 'A server cannot ask the person yet: we do not say that we support elicitation.',
  'auth/metadata-default': null,
  'auth/metadata-var1': null,
  'auth/metadata-var2': null,
  'auth/metadata-var3': null,
  'auth/scope-from-www-authenticate': null,
  'auth/scope-from-scopes-supported': null,
  'auth/scope-omitted-when-undefined': null,
  'auth/scope-step-up': null,
  'auth/scope-retry-limit': null,
  'auth/token-endpoint-auth-basic': null,
  'auth/token-endpoint-auth-post': null,
  'auth/token-endpoint-auth-none': null,
  'auth/pre-registration': null,
  'auth/resource-mismatch': null,
  'auth/basic-cimd': 'We publish no document of ourselves as a client: we register, or an administrator gives a client.',
};

export const SERVER_SCENARIOS: Readonly<Record<string, string | null>> = {
  'server-initialize': null,
  ping: null,
  'tools-list': null,
  'tools-call-simple-text': null,
  'tools-call-error': null,
  'json-schema-2020-12': null,
  'logging-set-level': 'We send no log messages to clients, and do not say so.',
  'resources-list': 'We offer tools alone.',
  'prompts-list': 'We offer tools alone.',
  'tools-call-sampling': 'A capability never asks the client’s model.',
};
