import { describe, expect, it } from 'vitest'
import { faultsOfLockfile } from './lockfile.ts'

const optionalDependencies = { 'tool-linux': '1.0.0', 'tool-darwin': '1.0.0' }

describe('the lock file', () => {
  it('is sound with every platform in it, beside the package or above it', () => {
    const packages = {
      '': {},
      web: { optionalDependencies },
      'node_modules/@lyceum/web': { resolved: 'web', link: true },
      'web/node_modules/tool-linux': {},
      'node_modules/tool-darwin': {},
      'node_modules/a/node_modules/b': { optionalDependencies: { c: '1.0.0' } },
      'node_modules/a/node_modules/c': {},
    }
    expect(faultsOfLockfile({ packages })).toEqual([])
  })

  it('lacks a platform', () => {
    const packages = { 'node_modules/tool': { optionalDependencies }, 'node_modules/tool-linux': {} }
    expect(faultsOfLockfile({ packages })).toEqual([
      'node_modules/tool can use tool-darwin, which has no entry',
    ])
  })

  it('does not count what lies inside another package', () => {
    const packages = {
      '': { optionalDependencies: { a: '1.0.0' } },
      'node_modules/b/node_modules/a': {},
    }
    expect(faultsOfLockfile({ packages })).toEqual(['the root can use a, which has no entry'])
  })

  it('names the place it was downloaded from', () => {
    const packages = { 'node_modules/a': { resolved: 'https://packages.example/a.tgz' } }
    expect(faultsOfLockfile({ packages })).toEqual([
      'node_modules/a is bound to the address https://packages.example/a.tgz',
    ])
  })
})
