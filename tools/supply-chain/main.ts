/** Writes what a release is delivered with: a software bill of materials, and the licenses of all packages. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import { readLockfile } from './lockfile.ts'
import { createNotices } from './notices.ts'
import { createSbom } from './sbom.ts'

const folder = join(root, 'dist')
const lockfile = readLockfile()
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(createSbom(lockfile), null, 2)}\n`)
writeFileSync(join(folder, 'third-party-notices.txt'), createNotices(lockfile))
