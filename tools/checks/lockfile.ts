type Entry = { resolved?: string; link?: boolean; optionalDependencies?: Record<string, string> }
export type Lockfile = { packages: Record<string, Entry> }

/**
 * Finds what would break `npm ci` on another system or network: missing binaries of other platforms, and addresses
 * of the registry that the file was created with.
 */
export function findLockfileFaults(lockfile: Lockfile): string[] {
  const { packages } = lockfile
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
