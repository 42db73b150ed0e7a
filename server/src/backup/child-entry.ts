import '#lib/outlive-stop-signals.ts'
import { constants, setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { openArchives } from '#providers/archives/open-archives.ts'
import type { ArchivesLocation } from '#providers/archives/port.ts'
import { openFiles } from '#providers/files/open-files.ts'
import type { FilesLocation } from '#providers/files/port.ts'
import { describeFailure } from './describe-failure.ts'
import { type BackupMade, type BackupRequest, makeBackup } from './make-backup.ts'

export interface ChildRequest extends BackupRequest {
  files: FilesLocation
  archives: ArchivesLocation
}

export type ChildOutcome = { made: BackupMade } | { reason: string }

async function run(): Promise<ChildOutcome> {
  try {
    // The server shares this machine, and its requests matter more than a fast backup.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    const { files, archives, ...request } = JSON.parse(await text(process.stdin)) as ChildRequest
    return { made: await makeBackup(await openFiles(files), await openArchives(archives), request) }
  } catch (error) {
    return { reason: describeFailure(error) }
  }
}

process.stdout.write(JSON.stringify(await run()))
