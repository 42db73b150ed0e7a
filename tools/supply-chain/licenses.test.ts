import { describe, expect, it } from 'vitest'
import { findLicenseFaults } from './licenses.ts'

function check(name: string, license?: string) {
  return findLicenseFaults({
    packages: { '': {}, server: {}, [`node_modules/${name}`]: license === undefined ? {} : { license } },
  })
}

describe('findLicenseFaults', () => {
  it.each([
    ['tool', 'AGPL-3.0-only'],
    ['tool', 'SSPL-1.0'],
    ['tool', 'BUSL-1.1'],
    ['tool', 'GPL-3.0-or-later'],
    ['tool', 'LGPL-3.0-or-later'],
    ['tool', 'MIT AND GPL-3.0-only'],
    ['tool', 'SEE LICENSE IN LICENSE.md'],
    ['tool', 'UNLICENSED'],
    ['tool', 'BSD'],
    ['tool', undefined],
    ['@img/sharp-libvips-linux-x64', 'GPL-3.0-or-later'],
  ])('rejects %s with %j', (name, license) => {
    expect(check(name, license)).toEqual([
      `${name} has the license "${license ?? ''}", which docs/licenses.md does not allow`,
    ])
  })

  it.each([
    ['tool', 'MIT'],
    ['tool', '(MIT OR GPL-3.0-or-later)'],
    ['tool', '(MIT AND Zlib)'],
    ['duck', 'BSD'],
    ['sqlite-vec-linux-x64', 'MIT OR Apache'],
    ['@img/sharp-libvips-linux-x64', 'LGPL-3.0-or-later'],
    ['@img/sharp-wasm32', 'Apache-2.0 AND LGPL-3.0-or-later AND MIT'],
  ])('accepts %s with %j', (name, license) => {
    expect(check(name, license)).toEqual([])
  })

  it('checks packages inside the folders of other packages and of workspaces', () => {
    const license = 'SSPL-1.0'
    const packages = { 'node_modules/a/node_modules/b': { license }, 'web/node_modules/c': { license } }
    expect(findLicenseFaults({ packages })).toHaveLength(2)
  })
})
