import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openMigratedDatabase } from '#testing/migrated-database.ts'
import { runCli } from '#testing/run-cli.ts'

it('a backup is refused by a version that does not know all tables', async () => {
  const { db, location, folder, close } = await openMigratedDatabase()
  await sql`insert into kysely_migration (name, timestamp) values ('9999-expand-later', '2099-01-01')`.execute(
    db,
  )
  const path = join(folder, 'partial.tar.gz')
  const env = {
    DATA_DIR: folder,
    ...('postgres' in location ? { DATABASE_URL: location.postgres } : {}),
  }
  const { code, stderr } = await runCli(['backup', path], env)
  expect([code, stderr]).toEqual([
    1,
    'No backup was made. A newer version of Lyceum has added to the database. Use that version for backups.\n',
  ])
  expect(existsSync(path)).toBe(false)
  await close()
})
