import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../bin/pinned-node.mjs'
import { requireProgram, runProgram } from '../peers/process.ts'

const unitPath = join(root, 'deploy/lyceum.service')

function readLines(path: string): string[] {
  return readFileSync(join(root, path), 'utf8').split('\n')
}

/** The lines of one service in a compose file, without comments and indentation. */
function readService(path: string, name: string): string[] {
  const lines = readLines(path)
  const start = lines.indexOf(`  ${name}:`)
  if (start === -1) throw new Error(`${path} has no service ${name}.`)
  const after = lines.slice(start + 1)
  const end = after.findIndex((line) => /^ {0,2}\S/.test(line))
  return after
    .slice(0, end === -1 ? undefined : end)
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('#'))
}

describe('the systemd unit', () => {
  it('has no mistake that systemd finds', () => {
    expect(runProgram(requireProgram('systemd-analyze', 'systemd'), ['verify', unitPath])).toBe('')
  })

  it('exposes little, by the rating of systemd', () => {
    // In tenths; it fails above the threshold.
    const args = ['security', '--offline=true', '--threshold=20', unitPath]
    expect(runProgram(requireProgram('systemd-analyze', 'systemd'), args)).toContain('Overall exposure level')
  })

  // The rating does not count these.
  it.each([
    'MemoryMax=3G',
    'TasksMax=512',
    'OOMPolicy=continue',
    'SystemCallErrorNumber=EPERM',
    'UMask=0077',
  ])('sets %s', (setting) => {
    expect(readLines('deploy/lyceum.service')).toContain(setting)
  })
})

describe('the containers', () => {
  it.each([
    'read_only: true',
    'cap_drop: [ALL]',
    'security_opt: [no-new-privileges:true]',
    'mem_limit: 3g',
    'pids_limit: 512',
    '- 127.0.0.1:3000:3000',
  ])('of the server have %s', (setting) => {
    expect(readService('deploy/compose.yaml', 'lyceum')).toContain(setting)
  })

  it.each(['security_opt: [no-new-privileges:true]', 'pids_limit: 512'])(
    'of PostgreSQL have %s',
    (setting) => {
      expect(readService('deploy/compose.postgres.yaml', 'postgres')).toContain(setting)
    },
  )

  it('run the server as an unprivileged user', () => {
    expect(readLines('Dockerfile')).toContain('USER 10001:10001')
  })
})
