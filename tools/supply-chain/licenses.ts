import { type Lockfile, listPackages, type Package } from './lockfile.ts'

/** docs/licenses.md, "What is allowed". */
const allowed: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/** docs/licenses.md, "Exceptions". */
const exceptions: readonly { name: RegExp; license: string }[] = [
  { name: /^@img\/sharp-(?:libvips-|win32-|wasm32$)/, license: 'LGPL-3.0-or-later' },
]

/** Packages whose manifest misspells the license that their files name. */
const corrections: readonly { name: RegExp; written: string; license: string }[] = [
  { name: /^sqlite-vec(?:-|$)/, written: 'MIT OR Apache', license: 'MIT OR Apache-2.0' },
  { name: /^duck$/, written: 'BSD', license: 'BSD-2-Clause' },
]

/** The license as an SPDX expression. */
export function readLicense({ name, entry }: Package): string {
  const written = entry.license ?? ''
  return corrections.find((known) => known.name.test(name) && known.written === written)?.license ?? written
}

/** Understands `A OR B AND C`, with at most one pair of parentheses around all of it. */
function isAllowed(expression: string, name: string): boolean {
  return expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) =>
      choice
        .split(' AND ')
        .every(
          (id) =>
            allowed.has(id) || exceptions.some(({ name: of, license }) => of.test(name) && license === id),
        ),
    )
}

/** Finds packages whose license we have not agreed to, tools included. */
export function findLicenseFaults(lockfile: Lockfile): string[] {
  return listPackages(lockfile).flatMap((found) => {
    const license = readLicense(found)
    if (isAllowed(license, found.name)) return []
    return [`${found.name} has the license "${license}", which docs/licenses.md does not allow`]
  })
}
