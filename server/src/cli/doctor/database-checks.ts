import { isDatabaseLocked } from '#db/database-lock.ts'
import { integrityFaults } from '#db/dialect.ts'
import { migrationState } from '#db/migrate.ts'
import { isS3Address } from '#lib/s3-address.ts'
import { openArchives } from '#providers/archives/open-archives.ts'
import { getArchivesLocation } from '../../backup/archives-location.ts'
import { countBackups, tryArchives } from '../../backup/backup-folder.ts'
import { backupState } from '../../backup/state.ts'
import { isDataFolderLocked } from '../../files/data-folder.ts'
import type { BaseDeps } from '../../start.ts'
import { formatCount } from '../format-count.ts'
import { type Check, ok, problem, warning } from './finding.ts'
import { countFailedJobs, findNewestRecordTime, requireReachable } from './store.ts'

const minute = 60_000

function integrityCheck({ db, env }: BaseDeps): Check {
  return {
    about: 'database',
    async run() {
      await requireReachable(db)
      const [fault] = await integrityFaults(db)
      if (fault !== undefined) return problem(`The database is damaged. Restore a backup. ${fault}`)
      return ok(env.DATABASE_URL ? 'PostgreSQL is reachable' : 'the SQLite file is intact')
    },
  }
}

/** Only for PostgreSQL: the file of SQLite is in the data folder, which has its own lock. */
function lockCheck({ db, env }: BaseDeps): Check {
  return {
    about: 'database lock',
    async run() {
      if (!(await isDatabaseLocked(db))) return ok('no server holds it')
      return isDataFolderLocked(env.DATA_DIR)
        ? ok('a server holds it')
        : warning('A server with a different data folder holds it. Until it stops, no server can start here.')
    },
  }
}

function schemaCheck({ db, env }: BaseDeps): Check {
  return {
    about: 'schema',
    async run() {
      const { pending, uncontracted, isNewer } = await migrationState(db)
      if (isNewer)
        return problem('A newer version of Lyceum has upgraded the database. This version will not start.')
      if (!env.CLUSTER && pending.length + uncontracted.length > 0)
        return warning(
          `The next start, or npx lyceum migrate, will run ${[...pending, ...uncontracted].join(', ')}.`,
        )
      if (pending.length > 0) return warning(`npx lyceum migrate will run ${pending.join(', ')}.`)
      if (uncontracted.length === 0) return ok('up to date')
      return ok(
        `up to date; once no earlier version is running, npx lyceum migrate --contract will run ${uncontracted.join(', ')}`,
      )
    },
  }
}

function jobsCheck({ db }: BaseDeps): Check {
  return {
    about: 'jobs',
    async run() {
      const failed = await countFailedJobs(db)
      const counts = [...failed].map(([name, count]) => `${name} (${count})`)
      return counts.length === 0 ? ok('none failed') : warning(`failed permanently: ${counts.join(', ')}`)
    },
  }
}

function clockCheck({ db, now }: BaseDeps): Check {
  return {
    about: 'clock',
    async run() {
      const ahead = (await findNewestRecordTime(db)) - now()
      return ahead > minute
        ? problem(
            `The clock is ${Math.ceil(ahead / minute)} minutes behind the newest record. Set it to the right time.`,
          )
        : ok(new Date(now()).toISOString())
    },
  }
}

function backupCheck(deps: BaseDeps): Check {
  return {
    about: 'backups',
    async run() {
      const { lastSuccess, lastFailure, isFailing } = await backupState(deps)
      const last = lastSuccess
        ? `the last backup was made at ${new Date(lastSuccess.at).toISOString()}`
        : 'no backup has been made yet'
      if (isFailing)
        return problem(`${last}; ${lastFailure?.reason ?? 'that is older than the schedule allows.'}`)
      if (!lastSuccess) return warning(last)
      const faults = lastSuccess.missingFiles + lastSuccess.changedFiles
      return faults > 0 ? warning(`${last}; missing or changed files: ${faults}`) : ok(last)
    },
  }
}

/** The folder is left as it is, but only a file that is written shows whether a bucket accepts backups. */
function backupFolderCheck({ env }: BaseDeps): Check {
  return {
    about: 'backup folder',
    async run() {
      const archives = await openArchives(getArchivesLocation(env))
      const count = formatCount(await countBackups(archives), 'backup')
      if (!isS3Address(env.BACKUP_DIR)) return ok(`${count} in ${env.BACKUP_DIR}`)
      await tryArchives(archives)
      return ok(`${count} in ${env.BACKUP_DIR}; a file was written there and removed`)
    },
  }
}

export function schemaChecks(deps: BaseDeps): Check[] {
  const { DATABASE_URL } = deps.env
  return [integrityCheck(deps), ...(DATABASE_URL ? [lockCheck(deps)] : []), schemaCheck(deps)]
}

/** Checks that need the current schema. */
export function contentChecks(deps: BaseDeps): Check[] {
  return [jobsCheck(deps), clockCheck(deps), backupCheck(deps), backupFolderCheck(deps)]
}
