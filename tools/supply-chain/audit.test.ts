import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditPackages, judgeSignatures } from './audit.ts'
import type { Lockfile } from './lockfile.ts'

const advisory = {
  id: 1,
  url: 'https://advisories.example/1',
  title: 'Reads any file',
  severity: 'critical',
  vulnerable_versions: '<2.0.0',
}

let folder: string
let registry: Server
let advisories: object | null

/** A registry that has one package and knows `advisories`, or refuses to tell them. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lyceum-audit-'))
  registry = createServer(({ method, url }, response) => {
    if (method === 'GET' && url === '/leaky')
      return response.end(
        JSON.stringify({ name: 'leaky', versions: { '1.0.0': { name: 'leaky', version: '1.0.0' } } }),
      )
    if (url?.endsWith('/advisories/bulk') && advisories) return response.end(JSON.stringify(advisories))
    return response.writeHead(405).end()
  }).listen(0, '127.0.0.1')
  await once(registry, 'listening')
})
afterEach(() => {
  registry.closeAllConnections()
  registry.close()
  rmSync(folder, { recursive: true })
})

/** Audits a project that uses the package. */
async function audit(entry: { dev?: boolean }) {
  const lockfile: Lockfile = {
    packages: {
      '': { [entry.dev ? 'devDependencies' : 'dependencies']: { leaky: '1.0.0' } } as object,
      'node_modules/leaky': { version: '1.0.0', integrity: 'sha512-abc', ...entry },
    },
  }
  mkdirSync(join(folder, 'node_modules/leaky'), { recursive: true })
  const project = { name: 'project', version: '1.0.0', ...lockfile.packages[''] }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...project, lockfileVersion: 3, ...lockfile }),
  )
  writeFileSync(join(folder, 'node_modules/leaky/package.json'), '{"name":"leaky","version":"1.0.0"}')
  const { port } = registry.address() as AddressInfo
  return auditPackages(folder, lockfile, [
    `--registry=http://127.0.0.1:${port}/`,
    `--cache=${join(folder, 'cache')}`,
  ])
}

describe('auditPackages', () => {
  it('reports a critical vulnerability in a package that is delivered', async () => {
    advisories = { leaky: [advisory] }
    const { faults } = await audit({})
    expect(faults).toEqual(['leaky has a critical vulnerability: https://advisories.example/1'])
  })

  it.each([
    [{ ...advisory, severity: 'moderate' }, {}],
    [advisory, { dev: true }],
  ])('accepts a vulnerability that is less severe, or in a tool (case %#)', async (known, entry) => {
    advisories = { leaky: [known] }
    expect((await audit(entry)).faults).toEqual([])
  })

  it('says what it could not check with a registry that does not answer', async () => {
    advisories = null
    expect(await audit({})).toEqual({
      faults: [],
      unchecked: [
        'Known vulnerabilities: the registry does not tell them.',
        'Signatures: the registry or its keys cannot be reached.',
      ],
    })
  })
})

describe('judgeSignatures', () => {
  it('reports invalid and missing signatures', () => {
    const report = { invalid: [{ name: 'a', version: '1.0.0' }], missing: [{ name: 'b', version: '2.0.0' }] }
    expect(judgeSignatures(report)).toEqual({
      faults: ['a 1.0.0 has an invalid signature', 'b 2.0.0 has no signature'],
      unchecked: [],
    })
  })

  it('accepts packages that all have valid ones', () => {
    expect(judgeSignatures({ invalid: [], missing: [] })).toEqual({ faults: [], unchecked: [] })
  })
})
