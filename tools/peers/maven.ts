import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import { requireProgram } from './process.ts'

interface Libraries {
  name: string
  version: string
  /** The folder of the pom file. Its goals copy the libraries to the folder that Maven gets as `folder`. */
  source: string
  goals: readonly string[]
}

/** Fetches Java libraries with Maven, once for each checkout. Returns their folder. */
export function requireLibraries({ name, version, source, goals }: Libraries): string {
  const folder = join(root, 'node_modules', '.cache', name.toLowerCase(), version)
  if (existsSync(folder)) return folder
  process.stderr.write(`Fetching ${name} ${version}…\n`)
  const startedAt = performance.now()
  const draft = `${folder}-draft`
  rmSync(draft, { recursive: true, force: true })
  const { status, stdout, error } = spawnSync(
    requireProgram('mvn', 'maven'),
    [
      ...['--batch-mode', '--quiet', '--strict-checksums', '--file', join(source, 'pom.xml')],
      ...goals,
      `-Dfolder=${draft}`,
    ],
    { encoding: 'utf8' },
  )
  if (status !== 0)
    throw new Error(`${name} could not be fetched with Maven: ${error?.message ?? stdout.trim()}`)
  renameSync(draft, folder)
  process.stderr.write(`Fetched it in ${Math.round((performance.now() - startedAt) / 1000)} s.\n`)
  return folder
}
