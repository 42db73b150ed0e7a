import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../bin/pinned-node.mjs'
import { readEnv } from '../../server/src/env.ts'
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

const clusterPath = 'deploy/compose.cluster.yaml'

/** The lines of a block that ends where the indentation does. */
function readBlock(path: string, head: string): string[] {
  const lines = readLines(path)
  const start = lines.indexOf(head)
  if (start === -1) throw new Error(`${path} has no line ${head}.`)
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^\S/.test(line))
  return rest.slice(0, end).map((line) => line.trim())
}

/** The environment variables of a server of the cluster, with what an operator has to add. */
function readClusterEnvironment(service: string): Record<string, string> {
  const lines = [
    ...readBlock(clusterPath, 'x-environment: &environment'),
    ...readService(clusterPath, service),
  ]
  const variables = lines.flatMap((line) => {
    const [, name, value = ''] = /^([A-Z][A-Z0-9_]*): (.*)$/.exec(line) ?? []
    return name === undefined ? [] : [[name, value.replaceAll("'", '').replace(/\$\{[^}]*\}/, 'secret')]]
  })
  return { SMTP_URL: 'smtps://mail.example.org', ...Object.fromEntries(variables) }
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

  it.each([
    ['web-1', 'web'],
    ['web-2', 'web'],
    ['worker', 'worker'],
    ['migrate', 'all'],
  ])('of the cluster: %s has valid settings that exist, and a folder of its own', (name, role) => {
    const variables = readClusterEnvironment(name)
    const env = readEnv(variables)
    expect(env).toMatchObject({ CLUSTER: true, RUN: role, DATA_DIR: `/data/${name}` })
    // The client of AWS reads these itself.
    const known = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', ...Object.keys(env)]
    expect(Object.keys(variables).filter((variable) => !known.includes(variable))).toEqual([])
    expect(readService(clusterPath, name)).toContain('<<: *server')
    const grace = /^stop_grace_period: (\d+)s$/m.exec(readBlock(clusterPath, 'x-server: &server').join('\n'))
    expect(Number(grace?.[1])).toBeGreaterThan(env.DRAIN_SECONDS + 15)
  })

  it.each([
    'read_only: true',
    'cap_drop: [ALL]',
    'security_opt: [no-new-privileges:true]',
    'mem_limit: 3g',
    'pids_limit: 512',
  ])('of the cluster have %s', (setting) => {
    expect(readBlock(clusterPath, 'x-server: &server')).toContain(setting)
  })

  it.each([
    "- --save ''",
    '- --appendonly no',
    '- --maxmemory-policy noeviction',
    'mem_limit: 512m',
    'security_opt: [no-new-privileges:true]',
  ])('of the cluster: Valkey has %s', (setting) => {
    expect(readService(clusterPath, 'valkey')).toContain(setting)
  })

  it('of the cluster open no port but those of the proxy', () => {
    const published = readLines(clusterPath).filter((line) => /^ +- [\d.:]+(\/udp)?$/.test(line))
    expect(published.map((line) => line.trim())).toEqual(['- 80:80', '- 443:443', '- 443:443/udp'])
  })

  it('run the server as an unprivileged user', () => {
    expect(readLines('Dockerfile')).toContain('USER 10001:10001')
  })
})
