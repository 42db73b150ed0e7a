import { describe, expect, it } from 'vitest'
import { findLockfileFaults } from './lockfile.ts'

const integrity = 'sha512-abc'
const optionalDependencies = { 'tool-linux': '1.0.0', 'tool-darwin': '1.0.0' }

describe('findLockfileFaults', () => {
  it('accepts entries for every platform, beside the package or above it', () => {
    const packages = {
      '': {},
      web: { optionalDependencies },
      'node_modules/@lyceum/web': { resolved: 'web', link: true },
      'web/node_modules/tool-linux': { integrity },
      'node_modules/tool-darwin': { integrity },
      'node_modules/a/node_modules/b': { integrity, optionalDependencies: { c: '1.0.0' } },
      'node_modules/a/node_modules/c': { inBundle: true },
    }
    expect(findLockfileFaults({ packages })).toEqual([])
  })

  it('reports a missing platform', () => {
    const packages = {
      'node_modules/tool': { integrity, optionalDependencies },
      'node_modules/tool-linux': { integrity },
    }
    expect(findLockfileFaults({ packages })).toEqual([
      'node_modules/tool can use tool-darwin, which has no entry',
    ])
  })

  it('ignores entries inside another package', () => {
    const packages = {
      '': { optionalDependencies: { a: '1.0.0' } },
      'node_modules/b/node_modules/a': { integrity },
    }
    expect(findLockfileFaults({ packages })).toEqual(['the root can use a, which has no entry'])
  })

  it('reports the address of a registry', () => {
    const packages = { 'node_modules/a': { integrity, resolved: 'https://packages.example/a.tgz' } }
    expect(findLockfileFaults({ packages })).toEqual([
      'node_modules/a contains the registry address https://packages.example/a.tgz',
    ])
  })
  it('reports a package without a hash', () => {
    expect(findLockfileFaults({ packages: { 'web/node_modules/a': {} } })).toEqual([
      'web/node_modules/a has no integrity hash',
    ])
  })

  it('reports a package that runs a script when it is installed', () => {
    const packages = { 'node_modules/a': { integrity, hasInstallScript: true } }
    expect(findLockfileFaults({ packages })).toEqual(['node_modules/a runs a script when it is installed'])
  })
})
