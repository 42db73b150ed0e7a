import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { isDataFolderHeld } from '../../data-folder.ts'
import type { Env } from '../../env.ts'
import { reserveOf } from '../../features/documents/free-space.ts'
import { readKeys } from '../../key-file.ts'
import { secretsPath } from '../../start.ts'
import { type Check, ok, problem, warning } from './finding.ts'

const neededMajor = 24
const gigabyte = 1024 ** 3

const nodeCheck: Check = {
  about: 'Node',
  async look() {
    const { node } = process.versions
    return Number(node.split('.')[0]) >= neededMajor
      ? ok(node)
      : problem(`${node}, and Lyceum needs ${neededMajor} or newer`)
  },
}

function rightsCheck(folder: string): Check {
  return {
    about: 'data folder',
    async look() {
      const { mode, uid } = statSync(folder)
      if (process.platform === 'win32') return ok(folder)
      if (process.getuid && uid !== process.getuid())
        return problem(`${folder} belongs to another user than the one who runs this`)
      return (mode & 0o077) === 0
        ? ok(folder)
        : problem(`${folder} can be read by others: please run chmod 700 ${folder}`)
    },
  }
}

function secretsCheck(path: string): Check {
  return {
    about: 'secrets file',
    async look() {
      if (!statSync(path, { throwIfNoEntry: false }))
        return warning('not there yet: the first start makes it')
      const { rotation } = readKeys(path)
      return rotation?.isFinished === false
        ? problem(
            'a rotation of the keys was broken off: please run npx lyceum keys rotate, which goes on from there',
          )
        : ok('readable by its owner only')
    },
  }
}

function lockCheck(folder: string): Check {
  return {
    about: 'server',
    look: async () => ok(isDataFolderHeld(folder) ? 'one is running on this folder' : 'none is running'),
  }
}

function diskCheck(folder: string): Check {
  return {
    about: 'free disk',
    async look() {
      const { bavail, blocks, bsize } = await statfs(folder)
      const [free, reserve] = [bavail * bsize, reserveOf(blocks * bsize)]
      const words = `${(free / gigabyte).toFixed(1)} GB`
      if (free < reserve)
        return problem(`${words}: no documents are taken below ${(reserve / gigabyte).toFixed(1)} GB`)
      return free < 2 * reserve ? warning(`${words}, which is little`) : ok(words)
    },
  }
}

/** What can be seen without the database. */
export function folderChecks(env: Env): Check[] {
  return [
    nodeCheck,
    rightsCheck(env.DATA_DIR),
    secretsCheck(secretsPath(env)),
    lockCheck(env.DATA_DIR),
    diskCheck(env.DATA_DIR),
  ]
}
