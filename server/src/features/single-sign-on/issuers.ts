import { claimRule } from '@lyceum/contract/single-sign-on'
import * as z from 'zod'
import type { Executor, Tx } from '#db/client.ts'
import type { Secrets } from '#keys/secrets.ts'
import type { IssuerConnection } from '#providers/openid/openid.ts'
import { AppError, notFound } from '../../errors.ts'
import { findIssuerRow, type IssuerRow, listIssuerRows, updateIssuer } from './store.ts'

const connectionSchema = z.object({ issuer: z.string(), clientId: z.string(), clientSecret: z.string() })

const optionsSchema = z.object({
  createsUsers: z.boolean(),
  verifiedClaim: z.string(),
  acrValues: z.array(z.string()),
  rules: z.array(claimRule),
})
export type IssuerOptions = z.output<typeof optionsSchema>

export interface StoredIssuer extends IssuerOptions {
  id: string
  name: string
  /** Null if the keys of this installation cannot decrypt it. */
  connection: IssuerConnection | null
}

/** What users come from: an issuer, or the directory. */
export type SourceOfUsers = Pick<StoredIssuer, 'id' | 'createsUsers' | 'verifiedClaim' | 'rules'>

const noOptions: IssuerOptions = {
  createsUsers: false,
  verifiedClaim: 'email_verified',
  acrValues: [],
  rules: [],
}

function unsealConnection(secrets: Secrets, sealed: string): IssuerConnection | null {
  try {
    return connectionSchema.parse(JSON.parse(secrets.unseal(sealed)))
  } catch {
    return null
  }
}

function readIssuer(secrets: Secrets, { id, name, sealed, options }: IssuerRow): StoredIssuer {
  const parsed = optionsSchema.safeParse(JSON.parse(options))
  return {
    id,
    name,
    connection: unsealConnection(secrets, sealed),
    ...(parsed.success ? parsed.data : noOptions),
  }
}

/** All values are encrypted together, so that write access to the database cannot send a secret to another server. */
export function sealConnection(secrets: Secrets, connection: IssuerConnection): string {
  return secrets.seal(JSON.stringify(connection))
}

export async function listIssuers(db: Executor, secrets: Secrets): Promise<StoredIssuer[]> {
  return (await listIssuerRows(db)).map((row) => readIssuer(secrets, row))
}

export async function requireIssuer(db: Executor, secrets: Secrets, id: string): Promise<StoredIssuer> {
  const row = await findIssuerRow(db, id)
  if (!row) throw notFound()
  return readIssuer(secrets, row)
}

export function requireConnection({ connection }: StoredIssuer): IssuerConnection {
  if (!connection) throw new AppError('sso.not_set_up')
  return connection
}

/** Where a grant of this issuer comes from. */
export function getGrantSource(issuerId: string): string {
  return `issuer:${issuerId}`
}

/** Re-encrypts the issuers with the current key. Returns how many it changed. */
export async function resealIssuers(tx: Tx, secrets: Secrets): Promise<number> {
  let changed = 0
  for (const { id, connection } of await listIssuers(tx, secrets)) {
    if (!connection) continue
    await updateIssuer(tx, id, { sealed: sealConnection(secrets, connection) })
    changed += 1
  }
  return changed
}
