import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from '../bin/pinned-node.mjs'

const cacheFolder = join(root, '.cache', 'bench')

function listSourceFiles(path: string): string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Hashes the sources of a prepared folder, so that a change in any of them rebuilds it. */
function hashSources(sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    const path = join(root, source)
    for (const file of source.endsWith('.ts') ? [path] : listSourceFiles(path))
      hash.update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 12)
}

interface Prepared {
  name: string
  sources: readonly string[]
  make: (folder: string) => Promise<void>
  logStep: (step: string) => void
}

/** Copies a prepared data folder to where it is used, and prepares it first if necessary. */
export async function copyPrepared(to: string, { name, sources, make, logStep }: Prepared): Promise<void> {
  const path = join(cacheFolder, `${name}-${hashSources(sources)}`)
  if (!existsSync(path)) {
    mkdirSync(cacheFolder, { recursive: true })
    for (const old of readdirSync(cacheFolder))
      if (old.startsWith(`${name}-`)) rmSync(join(cacheFolder, old), { recursive: true })
    logStep(`preparing ${name}, to be reused in later runs`)
    const begun = performance.now()
    const draft = `${path}.draft`
    await make(draft)
    renameSync(draft, path)
    logStep(`prepared ${name} in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  }
  mkdirSync(dirname(to), { recursive: true })
  await cp(path, to, { recursive: true })
}
