// Writes to a database on a full disk, and prints what happened. SQLite follows the links by which a test sees a small
// disk and leaves it, so this runs as a program that sees the disk itself.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#db/client.ts'
import { countReusableBytes } from '#db/database-facts.ts'
import { migrate } from '#db/migrate.ts'
import { writeSetting } from '#db/settings.ts'
import { isDiskFull } from '#lib/disk-full.ts'
import { writeUntilFull } from './small-disk.ts'

const [folder = '', canMakeRoom] = process.argv.slice(2)
const filler = join(folder, 'filler')
const large = { text: 'x'.repeat(6_000_000) }
/** More than fits into the log after the first write has made it grow. */
const larger = { text: 'x'.repeat(12_000_000) }

function free(): void {
  rmSync(filler, { force: true })
}

let timesAsked = 0
const db = openDatabase({
  sqlite: join(folder, 'lyceum.db'),
  makeRoom() {
    timesAsked += 1
    if (canMakeRoom === 'yes') free()
    return canMakeRoom === 'yes'
  },
})

async function report(write: () => Promise<void>): Promise<{ outcome: string; timesAsked: number }> {
  timesAsked = 0
  writeUntilFull(filler)
  const outcome = await write().then(
    () => 'written',
    (error: unknown) => (isDiskFull(error) ? 'full' : String(error)),
  )
  return { outcome, timesAsked }
}

await migrate(db)
const single = await report(() => writeSetting(db, 'a', large, 1))
const transaction = await report(() =>
  db.transaction().execute(async (tx) => {
    await writeSetting(tx, 'b', { text: '' }, 1)
    await writeSetting(tx, 'c', larger, 1)
  }),
)
free()
await writeSetting(db, 'd', large, 1)
const stored = await db
  .selectFrom('settings')
  .select('key')
  .where('key', 'in', ['a', 'b', 'c', 'd'])
  .execute()
await db.deleteFrom('settings').where('key', '=', 'd').execute()
process.stdout.write(
  JSON.stringify({
    single,
    transaction,
    stored: stored.map(({ key }) => key),
    reusableBytes: await countReusableBytes(db),
  }),
)
await db.destroy()
