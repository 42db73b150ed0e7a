import { type Lockfile, listPackages, type Package } from '../supply-chain/lockfile.ts'

/**
 * Finds what would break `npm ci` on another system or network: missing binaries of other platforms, and addresses
 * of the registry that the file was created with. Also finds what would weaken it: a package that is not compared with
 * a hash, or that runs code when it is installed.
 */
export function findLockfileFaults(lockfile: Lockfile): string[] {
  return [...findInstallFaults(lockfile), ...listPackages(lockfile).flatMap(findTrustFaults)]
}

function findTrustFaults({ path, entry }: Package): string[] {
  return [
    // A bundled package is part of another one's archive, which has a hash.
    ...(entry.integrity || entry.inBundle ? [] : [`${path} has no integrity hash`]),
    ...(entry.hasInstallScript ? [`${path} runs a script when it is installed`] : []),
  ]
}

function findInstallFaults({ packages }: Lockfile): string[] {
  return Object.entries(packages).flatMap(([path, entry]) => [
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isInstalledFor(path, name, packages))
      .map((name) => `${path || 'the root'} can use ${name}, which has no entry`),
    ...(entry.resolved && !entry.link ? [`${path} contains the registry address ${entry.resolved}`] : []),
  ])
}

/** Searches like Node: the package's own node_modules, then those of the folders above it. */
function isInstalledFor(path: string, name: string, packages: Lockfile['packages']): boolean {
  for (let folder = path; ; folder = getParentFolder(folder)) {
    if (packages[folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`]) return true
    if (folder === '') return false
  }
}

function getParentFolder(folder: string): string {
  const at = folder.lastIndexOf('/node_modules/')
  return at < 0 ? '' : folder.slice(0, at)
}
