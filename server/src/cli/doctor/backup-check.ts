import { backupState } from '../../backup/state.ts'
import type { BaseDeps } from '../../start.ts'
import { type Check, ok, problem, warning } from './finding.ts'

export function backupCheck(deps: BaseDeps): Check {
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
