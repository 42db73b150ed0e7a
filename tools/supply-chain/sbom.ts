import { execFileSync } from 'node:child_process'
import { root } from '../../bin/pinned-node.mjs'
import { readLicense } from './licenses.ts'
import { type Lockfile, listPackages } from './lockfile.ts'

interface Component {
  'bom-ref': string
  type: string
  name: string
  version: string
  group?: string
  purl: string
  properties?: { name: string; value: string }[]
  licenses?: unknown[]
}

/** A software bill of materials in the format CycloneDX. */
export interface Sbom {
  bomFormat: string
  specVersion: string
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** `--omit dev` would also leave out packages that a workspace needs both in production and for its tests. */
function runNpm(): Sbom {
  const output = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
  return JSON.parse(output) as Sbom
}

function isForDevelopment({ properties = [] }: Component): boolean {
  return properties.some(({ name }) => name === 'cdx:npm:package:development')
}

function getFullName({ group, name, version }: Component): string {
  return `${group ? `${group}/` : ''}${name}@${version}`
}

/** Lists everything that the product is delivered with, on any platform. */
export function createSbom(lockfile: Lockfile): Sbom {
  const sbom = runNpm()
  const licenses = new Map(
    listPackages(lockfile).map((found) => [`${found.name}@${found.entry.version}`, readLicense(found)]),
  )
  const components = sbom.components
    .filter((component) => !isForDevelopment(component))
    .map((component) => {
      const license = licenses.get(getFullName(component))
      // npm leaves out what is not written as an SPDX expression.
      return component.licenses || !license
        ? component
        : { ...component, licenses: [{ expression: license }] }
    })
  const { component } = sbom.metadata
  const delivered = new Set([component['bom-ref'], ...components.map((found) => found['bom-ref'])])
  return {
    ...sbom,
    // npm names the product after the folder it is in.
    metadata: { ...sbom.metadata, component: { ...component, type: 'application', name: 'lyceum' } },
    components,
    dependencies: sbom.dependencies
      .filter(({ ref }) => delivered.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => delivered.has(other)) })),
  }
}
