import { apiKeyScopes } from '@lyceum/contract/api-keys'
import { consentPath, oauthApi } from '@lyceum/contract/connected-programs'
import type { Deps } from '../../deps.ts'
import { getResource } from './authorization.ts'

type Env = Deps['env']

const resourceMetadataPath = '/.well-known/oauth-protected-resource'

/** Documents by which programs find out how to connect, by their paths. */
export function listMetadata(env: Env): Map<string, object> {
  const resource = {
    resource: getResource(env),
    authorization_servers: [env.PUBLIC_URL],
    scopes_supported: apiKeyScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Lyceum',
  }
  const authorizationServer = {
    issuer: env.PUBLIC_URL,
    authorization_endpoint: `${env.PUBLIC_URL}${consentPath}`,
    token_endpoint: `${env.PUBLIC_URL}/api${oauthApi.token.path}`,
    registration_endpoint: `${env.PUBLIC_URL}/api${oauthApi.register.path}`,
    revocation_endpoint: `${env.PUBLIC_URL}/api${oauthApi.revoke.path}`,
    scopes_supported: apiKeyScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
  return new Map<string, object>([
    [resourceMetadataPath, resource],
    [`${resourceMetadataPath}/mcp`, resource],
    ['/.well-known/oauth-authorization-server', authorizationServer],
  ])
}

/** Tells a program that has no access how to get it (RFC 9728, RFC 6750). */
export function buildChallenge(env: Env, refusal: 'no-key' | 'invalid_token' | 'insufficient_scope'): string {
  const parts = [
    ...(refusal === 'no-key' ? [] : [`error="${refusal}"`]),
    `scope="${apiKeyScopes.join(' ')}"`,
    `resource_metadata="${env.PUBLIC_URL}${resourceMetadataPath}/mcp"`,
  ]
  return `Bearer ${parts.join(', ')}`
}
