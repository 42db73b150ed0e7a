import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import { requireGoPrograms } from './go.ts'
import { runProgram } from './process.ts'

const source = join(root, 'tools', 'peers', 'helm')

/** Builds Helm, and a program that decodes objects strictly into the types of Kubernetes, once for each checkout. */
export function requireHelm(): { helm: string; decodeObjects: string } {
  const hash = createHash('sha256')
  for (const name of ['go.mod', 'go.sum', 'main.go']) hash.update(readFileSync(join(source, name)))
  const folder = requireGoPrograms(`helm/${hash.digest('hex').slice(0, 16)}`, {
    name: 'Helm and the types of Kubernetes',
    command: (programs) => ['build', '-o', `${programs}/`, 'helm.sh/helm/v3/cmd/helm', '.'],
    cwd: source,
    need: 'The tests of the chart need Helm, which is built with Go.',
  })
  return { helm: join(folder, 'helm'), decodeObjects: join(folder, 'decode-objects') }
}

export interface HelmResult {
  isSuccess: boolean
  output: string
  /** The errors, without those that only `--debug` explains. */
  errors: string
}

/** Runs Helm with values as `--values` reads them. */
export function runHelm(args: string[], values: object): HelmResult {
  const { status, stdout, stderr } = spawnSync(requireHelm().helm, [...args, '--values', '-'], {
    encoding: 'utf8',
    input: JSON.stringify(values),
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' },
  })
  return { isSuccess: status === 0, output: stdout, errors: stderr }
}

/** Decodes the objects of a manifest as Kubernetes does with strict validation. Throws on fields and types it does not know. */
export function decodeObjects<T>(manifest: string): T[] {
  const lines = runProgram(requireHelm().decodeObjects, [], manifest).trim().split('\n')
  return lines.map((line) => JSON.parse(line) as T)
}
