import { ldapInput } from '@lyceum/contract/ldap'
import * as z from 'zod'
import type { Executor, Tx } from '#db/client.ts'
import type { Secrets } from '#keys/secrets.ts'
import type { LdapConnection } from '#providers/ldap/ldap-client.ts'
import { directoryId, findIssuerRow, updateIssuer } from './store.ts'

const connectionSchema = z.object({
  url: z.string(),
  certificate: z.string(),
  bindDn: z.string(),
  bindPassword: z.string(),
  baseDn: z.string(),
  userFilter: z.string(),
  emailAttribute: z.string(),
})

const optionsSchema = z.object({ createsUsers: z.boolean(), rules: ldapInput.shape.rules })
export type DirectoryOptions = z.output<typeof optionsSchema>

/** The name of the directory where issuers are listed. */
export const directoryName = 'LDAP'

export interface StoredDirectory extends DirectoryOptions {
  /** Null if the keys of this installation cannot decrypt it. */
  connection: LdapConnection | null
}

function unsealConnection(secrets: Secrets, sealed: string): LdapConnection | null {
  try {
    return connectionSchema.parse(JSON.parse(secrets.unseal(sealed)))
  } catch {
    return null
  }
}

/** All values are encrypted together, so that write access to the database cannot send passwords to another server. */
export function sealDirectory(secrets: Secrets, connection: LdapConnection): string {
  return secrets.seal(JSON.stringify(connection))
}

/** Null if no directory is set. */
export async function findDirectory(db: Executor, secrets: Secrets): Promise<StoredDirectory | null> {
  const row = await findIssuerRow(db, directoryId)
  if (!row) return null
  const options = optionsSchema.safeParse(JSON.parse(row.options))
  return {
    connection: unsealConnection(secrets, row.sealed),
    ...(options.success ? options.data : { createsUsers: false, rules: [] }),
  }
}

/** Whether users can sign in with the password of a directory. */
export async function hasDirectory(db: Executor): Promise<boolean> {
  return (await findIssuerRow(db, directoryId)) !== undefined
}

/** Re-encrypts the directory with the current key. Returns how many it changed. */
export async function resealDirectory(tx: Tx, secrets: Secrets): Promise<number> {
  const { connection = null } = (await findDirectory(tx, secrets)) ?? {}
  if (!connection) return 0
  await updateIssuer(tx, directoryId, { sealed: sealDirectory(secrets, connection) })
  return 1
}
