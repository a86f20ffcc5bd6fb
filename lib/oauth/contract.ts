import { z } from 'zod';

/** What a program registers itself with (RFC 7591). What we do not use is let pass, as the RFC asks. */
export const registerClientBody = z.object({
  client_name: z.string().trim().max(80).optional(),
  redirect_uris: z.array(z.string().max(2_000)).min(1).max(10),
  token_endpoint_auth_method: z.string().optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
});
export type RegisterClient = z.infer<typeof registerClientBody>;

/** What a program asks a person for, by way of their browser (RFC 6749 section 4.1.1, RFC 7636, RFC 8707). */
export const authorizationRequest = z.object({
  response_type: z.string(),
  client_id: z.string().max(100),
  redirect_uri: z.string().max(2_000),
  code_challenge: z.string().max(200).default(''),
  code_challenge_method: z.string().default(''),
  state: z.string().max(2_000).optional(),
  scope: z.string().max(1_000).optional(),
  resource: z.string().max(2_000).optional(),
});
export type AuthorizationRequest = z.infer<typeof authorizationRequest>;

export const authorizeClientBody = z.object({
  clientId: z.string().max(100),
  redirectUri: z.string().max(2_000),
  codeChallenge: z.string().max(200),
  state: z.string().max(2_000).nullable().default(null),
});
export type AuthorizeClient = z.infer<typeof authorizeClientBody>;

/** A program that the person lets act for them in a workspace. */
export const programView = z.object({
  id: z.string(),
  name: z.string(),
  workspace: z.string(),
  allowedAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
export type ProgramView = z.infer<typeof programView>;
export const programList = z.object({ items: z.array(programView) });

/** Where the browser takes the program's answer. */
export const authorizeClientResult = z.object({ redirectTo: z.string() });
