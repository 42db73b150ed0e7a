import type { Loading } from '#db/bulk-load.ts'

/**
 * What a backup holds may have been used, withdrawn or delivered since: links of invitations are over, letters are not
 * sent again nor links that were asked for, and nobody is at work on anything any more. Sessions, codes, trusted browsers and links for a new password are
 * not in a backup in the first place (db/kept-tables.ts).
 */
export async function voidOldKeys({ run, reader }: Loading, now: number): Promise<void> {
  const at = Math.floor(now)
  const statements = {
    invitations: [
      `update invitations set expires_at = ${at} where status = 'pending' and expires_at > ${at}`,
    ],
    jobs: [
      `delete from jobs where name in ('mail.send', 'auth.reset-link')`,
      `update jobs set state = 'waiting', lease_until = null, owner = null, fence = null where state = 'running'`,
    ],
    messages: ['update messages set lease_until = 0 where lease_until is not null'],
  }
  for (const [table, steps] of Object.entries(statements))
    if (reader.tables.some(({ name }) => name === table)) for (const step of steps) await run(step)
}
