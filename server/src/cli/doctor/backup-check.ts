import { backupState } from '../../backup/state.ts'
import type { Records } from '../../start.ts'
import { type Check, ok, problem, warning } from './finding.ts'

export function backupCheck(records: Records): Check {
  return {
    about: 'backups',
    async look() {
      const { lastSuccess, lastFailure, isFailing } = await backupState(records)
      const last = lastSuccess
        ? `the last one was made at ${new Date(lastSuccess.at).toISOString()}`
        : 'none was made'
      if (isFailing) return problem(`${last}; ${lastFailure?.reason ?? 'that is too long ago.'}`)
      if (!lastSuccess) return warning(`${last} yet`)
      const lacking = lastSuccess.missingFiles + lastSuccess.changedFiles
      return lacking > 0
        ? warning(`${last}, without ${lacking} files that were missing or changed`)
        : ok(last)
    },
  }
}
