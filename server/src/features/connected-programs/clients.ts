import { apiKeyScopes } from '@lyceum/contract/api-keys'
import type { ProgramRegistration, RegisteredProgram } from '@lyceum/contract/connected-programs'
import { uuidv7 } from 'uuidv7'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { deleteOldestUnusedClients, insertClient } from './client-store.ts'
import { isAllowedRedirectUri } from './redirect-uri.ts'

/** Programs that no user has allowed yet. With more, the oldest are deleted. They can register again. */
const unusedMaximum = 1000

/** Registers a program. Anyone can, so this gives no access: a user has to allow it. */
export async function registerClient(
  { db, now }: Deps,
  { client_name, redirect_uris }: ProgramRegistration,
): Promise<RegisteredProgram> {
  if (!redirect_uris.every(isAllowedRedirectUri)) throw new AppError('oauth.invalid_redirect_uri')
  const id = uuidv7()
  const at = now()
  await insertClient(db, {
    id,
    name: client_name,
    redirect_uris: JSON.stringify(redirect_uris),
    created_at: at,
    last_used_at: null,
  })
  await deleteOldestUnusedClients(db, unusedMaximum)
  return {
    client_id: id,
    client_id_issued_at: Math.floor(at / 1000),
    client_name,
    redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: apiKeyScopes.join(' '),
  }
}
