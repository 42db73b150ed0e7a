import { expect, it } from 'vitest'
import { root } from '../../bin/pinned-node.mjs'
import { listPackages, readLockfile } from './lockfile.ts'
import { createNotices } from './notices.ts'
import { createSbom } from './sbom.ts'

const lockfile = readLockfile()
const sbom = createSbom(lockfile)
const text = JSON.stringify(sbom)

it('lists every package of the lock file except those for development', () => {
  const workspaces = ['contract@0.1.0', 'server@0.1.0', 'web@0.1.0']
  const delivered = listPackages(lockfile).filter(({ entry }) => !entry.dev)
  const names = delivered.map(({ name, entry }) => `${name}@${entry.version}`)
  const listed = sbom.components.map(
    ({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`,
  )
  expect(listed.sort()).toEqual([...new Set([...names, ...workspaces])].sort())
  expect(names).toEqual(
    expect.arrayContaining([expect.stringMatching(/^react@/), expect.stringMatching(/^zod@/)]),
  )
})

it('names the product, a license for every package of others, and no dependency that it does not list', () => {
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'lyceum' } } })
  const refs = new Set([
    sbom.metadata.component['bom-ref'],
    ...sbom.components.map((found) => found['bom-ref']),
  ])
  expect(
    sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !refs.has(ref)),
  ).toEqual([])
  const unlicensed = sbom.components.filter(({ licenses }) => !licenses).map(({ name }) => name)
  expect(unlicensed.sort()).toEqual(['contract', 'server', 'web'])
})

it('contains neither a path of this machine nor the address of a registry', () => {
  expect(text).not.toContain(JSON.stringify(root).slice(1, -2))
  expect(sbom.components.filter((component) => JSON.stringify(component).includes('"distribution"'))).toEqual(
    [],
  )
})

it('comes with the license texts of the delivered packages', () => {
  const notices = createNotices(lockfile)
  expect(notices).toMatch(/^react \d.* \(MIT\)$/m)
  expect(notices).toMatch(/^duck .* \(BSD-2-Clause\)$/m)
  expect(notices).toContain('Copyright (c) Meta Platforms')
  expect(notices).not.toMatch(/^vitest /m)
  expect(notices).not.toContain(root)
})
