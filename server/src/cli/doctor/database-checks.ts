import { integrityFaults } from '#db/dialect.ts'
import { migrationState } from '#db/migrate.ts'
import type { Records } from '../../start.ts'
import { backupCheck } from './backup-check.ts'
import { type Check, ok, problem, warning } from './finding.ts'
import { failedJobs, isReachable, newestRecord } from './store.ts'

const minute = 60_000

function integrityCheck({ db, env }: Records): Check {
  return {
    about: 'database',
    async look() {
      await isReachable(db)
      const [fault] = await integrityFaults(db)
      if (fault !== undefined) return problem(`damaged, please restore a backup: ${fault}`)
      return ok(env.DATABASE_URL ? 'PostgreSQL answers' : 'SQLite answers, and its file is whole')
    },
  }
}

function schemaCheck({ db }: Records): Check {
  return {
    about: 'schema',
    async look() {
      const { pending, isNewer } = await migrationState(db)
      if (isNewer) return problem('written by a newer version of Lyceum: this one will not start on it')
      return pending.length === 0
        ? ok('up to date')
        : warning(
            `${pending.join(', ')} still to come: the next start or npx lyceum migrate takes care of it`,
          )
    },
  }
}

function jobsCheck({ db }: Records): Check {
  return {
    about: 'jobs',
    async look() {
      const failed = await failedJobs(db)
      const named = [...failed].map(([name, count]) => `${count} of ${name}`)
      return named.length === 0 ? ok('none was given up') : warning(`given up: ${named.join(', ')}`)
    },
  }
}

function clockCheck({ db, now }: Records): Check {
  return {
    about: 'clock',
    async look() {
      const ahead = (await newestRecord(db)) - now()
      return ahead > minute
        ? problem(`${Math.ceil(ahead / minute)} minutes before the newest record: please set it right`)
        : ok(new Date(now()).toISOString())
    },
  }
}

export function schemaChecks(records: Records): Check[] {
  return [integrityCheck(records), schemaCheck(records)]
}

/** What can be asked only where the schema is ours. */
export function recordChecks(records: Records): Check[] {
  return [jobsCheck(records), clockCheck(records), backupCheck(records)]
}
