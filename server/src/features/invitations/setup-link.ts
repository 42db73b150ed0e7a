import { expiryDaysDefault } from '@lyceum/contract/two-factor'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { audit } from '../audit/append.ts'
import { hasUsers } from '../auth/sign-in.ts'
import {
  deleteSetupInvitations,
  findSetupLinkPrinter,
  insertInvitation,
  lockSetupLink,
  recordSetupLinkPrinter,
} from './store.ts'

const lifetime = 3_600_000
/** How long a node of a cluster leaves the link alone that another one has printed, in milliseconds. */
const recentPeriod = 600_000

type SetupDeps = Pick<Deps, 'env' | 'db' | 'now'> & Partial<Pick<Deps, 'log'>>

/** Replaces earlier links; null when a user exists. */
async function replaceSetupLink(
  deps: SetupDeps,
  tx: Tx,
  client?: Client,
): Promise<{ id: string; link: string } | null> {
  if (await hasUsers(tx)) return null
  const id = uuidv7()
  const token = randomToken()
  const now = deps.now()
  await deleteSetupInvitations(tx)
  await insertInvitation(tx, {
    id,
    email: deps.env.OWNER_EMAIL ?? '',
    full_name: '',
    token_hash: tokenHash(token),
    status: 'pending',
    is_setup: 1,
    invited_by: null,
    allowed_channels: '[]',
    two_factor_days: expiryDaysDefault,
    two_factor_enabled: deps.env.SMTP_URL ? 1 : 0,
    created_at: now,
    expires_at: now + lifetime,
    accepted_at: null,
  })
  await audit(deps, tx, {
    actor: null,
    ...(client ? { client } : {}),
    action: 'invitation.created',
    object: { type: 'invitation', id, ...(deps.env.OWNER_EMAIL ? { name: deps.env.OWNER_EMAIL } : {}) },
    after: { isSetup: true },
  })
  return { id, link: `${deps.env.PUBLIC_URL}/register?token=${token}` }
}

/**
 * Creates a setup link for the first user and invalidates earlier ones; null when a user exists. Without a mail server,
 * two-factor authentication is off for this user, so that setup needs no email.
 */
export async function createSetupLink(deps: SetupDeps, client?: Client): Promise<string | null> {
  const created = await deps.db.transaction().execute((tx) => replaceSetupLink(deps, tx, client))
  return created?.link ?? null
}

/** How to finish the setup: with a new link, or with the one that another node has printed. */
export type SetupHint = { link: string } | { printedBy: string }

/**
 * For a node of a cluster. Nodes often start together, and then only the link of the last one would work; so a node
 * creates none while that of another one is new.
 */
export function createNodeSetupLink(deps: SetupDeps): Promise<SetupHint | null> {
  return deps.db.transaction().execute(async (tx) => {
    await lockSetupLink(tx)
    const printedBy = await findSetupLinkPrinter(tx, deps.now() - recentPeriod)
    if (printedBy !== null) return (await hasUsers(tx)) ? null : { printedBy }
    const created = await replaceSetupLink(deps, tx)
    if (created) await recordSetupLinkPrinter(tx, created.id, deps.env.NODE_NAME, deps.now())
    return created && { link: created.link }
  })
}
