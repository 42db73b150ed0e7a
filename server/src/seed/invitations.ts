import { expiryDaysDefault } from '@lyceum/contract/two-factor'
import { uuidv7 } from 'uuidv7'
import type { Deps } from '../deps.ts'
import { insertInvitation } from '../features/invitations/store.ts'
import { randomToken, tokenHash } from '../keys/secrets.ts'

const day = 86_400_000
const lifetime = 7 * day

interface Guest {
  name: string
  email: string
  daysAgo: number
  channels: readonly string[]
}

async function invite(deps: Deps, invitedBy: string, guest: Guest): Promise<string> {
  const token = randomToken()
  const at = deps.now() - guest.daysAgo * day
  await insertInvitation(deps.db, {
    id: uuidv7(),
    email: guest.email,
    full_name: guest.name,
    token_hash: tokenHash(token),
    status: 'pending',
    is_setup: 0,
    invited_by: invitedBy,
    allowed_channels: JSON.stringify(guest.channels),
    two_factor_days: expiryDaysDefault,
    two_factor_enabled: 0,
    created_at: at,
    expires_at: at + lifetime,
    accepted_at: null,
  })
  return `${deps.env.PUBLIC_URL}/register?token=${token}`
}

/** Adds an open and an expired invitation and returns their links. */
export async function addInvitations(
  deps: Deps,
  invitedBy: string,
  channels: readonly string[],
): Promise<{ open: string; expired: string }> {
  return {
    open: await invite(deps, invitedBy, {
      name: 'Marguerite Dufour',
      email: 'marguerite@lyceum.example',
      daysAgo: 2,
      channels,
    }),
    expired: await invite(deps, invitedBy, {
      name: 'Tomasz Zieliński',
      email: 'tomasz@lyceum.example',
      daysAgo: 12,
      channels,
    }),
  }
}
