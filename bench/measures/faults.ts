import { join } from 'node:path'
import { runBrokenConnections } from '../faults/connections.ts'
import { runDatabaseFaults } from '../faults/database.ts'
import { runFullDisk } from '../faults/disk.ts'
import { runHostileDocuments } from '../faults/documents.ts'
import { runKills } from '../faults/kills.ts'
import type { Figure, Measure } from '../figures.ts'
import { withPostgres } from '../postgres.ts'
import { createRandom } from '../random-text.ts'
import { withFolder } from '../server-process.ts'

export const faults: Measure = {
  name: 'faults',
  title: 'What survives kills, a full disk, a failing database, endless documents and broken connections',
  isLong: true,
  run: (logStep, { seed }) =>
    withPostgres((createDatabase) =>
      withFolder(async (folder) => {
        const random = createRandom(seed)
        logStep(`seed ${seed}: repeat this run with --seed ${seed}`)
        const figures: Figure[] = []
        function createEnv(name: string): Record<string, string> {
          return { DATA_DIR: join(folder, name) }
        }
        for (const ending of ['kill -9', 'SIGTERM'] as const) {
          const [sqlite, postgres] = [createEnv(`sqlite ${ending}`), createEnv(`postgres ${ending}`)]
          postgres['DATABASE_URL'] = await createDatabase()
          figures.push(
            ...(await runKills('SQLite', ending, sqlite, random, logStep)),
            ...(await runKills('PostgreSQL', ending, postgres, random, logStep)),
          )
        }
        const onPostgres = { DATABASE_URL: await createDatabase() }
        figures.push(
          ...(await runFullDisk(join(folder, 'sqlite'), 'SQLite', {}, random, logStep)),
          ...(await runFullDisk(join(folder, 'postgres'), 'PostgreSQL', onPostgres, random, logStep)),
        )
        logStep('letting the database fail')
        figures.push(
          ...(await runDatabaseFaults(await createDatabase(), createEnv('database'), random, logStep)),
        )
        figures.push(...(await runHostileDocuments(createEnv('documents'), logStep)))
        logStep('breaking connections')
        figures.push(...(await runBrokenConnections(createEnv('connections'))))
        return figures
      }),
    ),
}
