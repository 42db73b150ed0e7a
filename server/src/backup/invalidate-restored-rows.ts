import type { RowLoader } from '#db/bulk-load.ts'

/**
 * Invitations, emails and reset links in a backup may have been used, revoked or delivered since it was made. Expires
 * pending invitations, drops waiting emails, and releases the leases of jobs and replies. Backups contain no sessions,
 * codes, trusted browsers or password resets in the first place (db/backup-tables.ts).
 */
export async function invalidateRestoredRows({ run, reader }: RowLoader, now: number): Promise<void> {
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
