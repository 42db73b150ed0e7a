import { statSync } from 'node:fs'
import type { Env } from '../../env.ts'
import { isDataFolderLocked } from '../../files/data-folder.ts'
import { computeUploadMinimum } from '../../files/disk-guard.ts'
import { readDiskSpace } from '../../files/disk-space.ts'
import { hasDiskRoom } from '../../files/reserve.ts'
import { readKeys } from '../../keys/key-file.ts'
import { secretsPath } from '../../start.ts'
import { type Check, ok, problem, warning } from './finding.ts'

const neededMajor = 24
const gigabyte = 1024 ** 3

const nodeCheck: Check = {
  about: 'Node',
  async run() {
    const { node } = process.versions
    return Number(node.split('.')[0]) >= neededMajor
      ? ok(node)
      : problem(`This is Node ${node}. Lyceum needs ${neededMajor} or newer.`)
  },
}

function accessCheck(folder: string): Check {
  return {
    about: 'data folder',
    async run() {
      const { mode, uid } = statSync(folder)
      if (process.platform === 'win32') return ok(folder)
      if (process.getuid && uid !== process.getuid())
        return problem(`${folder} belongs to a different user than the one running this command.`)
      return (mode & 0o077) === 0
        ? ok(folder)
        : problem(`Other users can read ${folder}. Run: chmod 700 ${folder}`)
    },
  }
}

function secretsCheck(path: string): Check {
  return {
    about: 'secrets file',
    async run() {
      if (!statSync(path, { throwIfNoEntry: false }))
        return warning('No secrets file yet. The first start creates it.')
      const { rotation } = readKeys(path)
      return rotation?.isFinished === false
        ? problem('A key rotation was interrupted. Run npx lyceum keys rotate to finish it.')
        : ok('readable by its owner only')
    },
  }
}

function lockCheck(folder: string): Check {
  return {
    about: 'server',
    run: async () => ok(isDataFolderLocked(folder) ? 'running on this data folder' : 'not running'),
  }
}

function diskCheck(folder: string, holdsFiles: boolean): Check {
  return {
    about: 'disk space',
    async run() {
      const { free, capacity } = readDiskSpace(folder)
      const minimumFree = computeUploadMinimum(capacity, holdsFiles)
      const text = `${(free / gigabyte).toFixed(1)} GB free`
      if (!hasDiskRoom(folder, { free, capacity }))
        return problem(`${text}. The disk is full: messages and uploads are refused. Free some space.`)
      if (free < minimumFree)
        return problem(`${text}. Uploads are refused below ${(minimumFree / gigabyte).toFixed(1)} GB.`)
      return free < 2 * minimumFree ? warning(`${text}, which is low`) : ok(text)
    },
  }
}

/** Checks that need no database. */
export function folderChecks(env: Env): Check[] {
  return [
    nodeCheck,
    accessCheck(env.DATA_DIR),
    secretsCheck(secretsPath(env)),
    lockCheck(env.DATA_DIR),
    diskCheck(env.DATA_DIR, env.S3_BUCKET === undefined),
  ]
}
