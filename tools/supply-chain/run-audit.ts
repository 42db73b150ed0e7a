/** Checks the installed packages against the registry's advisories and signatures: `npm run audit`. */
import { root } from '../../bin/pinned-node.mjs'
import { auditPackages } from './audit.ts'
import { readLockfile } from './lockfile.ts'

const { faults, unchecked } = await auditPackages(root, readLockfile())
for (const sentence of unchecked) console.log(`Not checked. ${sentence}`)
for (const fault of faults) console.log(`✗ ${fault}`)
if (faults.length === 0 && unchecked.length === 0)
  console.log('✓ No known vulnerability; all signatures are valid.')
process.exitCode = faults.length === 0 ? 0 : 1
