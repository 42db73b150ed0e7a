import { describe, expect, it } from 'vitest'
import { findLockfileFaults } from './lockfile.ts'

const optionalDependencies = { 'tool-linux': '1.0.0', 'tool-darwin': '1.0.0' }

describe('findLockfileFaults', () => {
  it('accepts entries for every platform, beside the package or above it', () => {
    const packages = {
      '': {},
      web: { optionalDependencies },
      'node_modules/@lyceum/web': { resolved: 'web', link: true },
      'web/node_modules/tool-linux': {},
      'node_modules/tool-darwin': {},
      'node_modules/a/node_modules/b': { optionalDependencies: { c: '1.0.0' } },
      'node_modules/a/node_modules/c': {},
    }
    expect(findLockfileFaults({ packages })).toEqual([])
  })

  it('reports a missing platform', () => {
    const packages = { 'node_modules/tool': { optionalDependencies }, 'node_modules/tool-linux': {} }
    expect(findLockfileFaults({ packages })).toEqual([
      'node_modules/tool can use tool-darwin, which has no entry',
    ])
  })

  it('ignores entries inside another package', () => {
    const packages = {
      '': { optionalDependencies: { a: '1.0.0' } },
      'node_modules/b/node_modules/a': {},
    }
    expect(findLockfileFaults({ packages })).toEqual(['the root can use a, which has no entry'])
  })

  it('reports the address of a registry', () => {
    const packages = { 'node_modules/a': { resolved: 'https://packages.example/a.tgz' } }
    expect(findLockfileFaults({ packages })).toEqual([
      'node_modules/a contains the registry address https://packages.example/a.tgz',
    ])
  })
})
