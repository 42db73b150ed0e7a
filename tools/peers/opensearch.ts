import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import { findFreePort } from '../../server/src/testing/spawn-server.ts'
import { requireProgram, startPeer } from './process.ts'

const version = '2.19.1'
const source = join(root, 'tools', 'peers', 'opensearch')
const cache = join(root, 'node_modules', '.cache', 'opensearch')
const libraries = join(cache, version)

/** Fetches OpenSearch and its k-NN plugin with Maven, 60 MB, once for each checkout. */
function requireLibraries(): string {
  if (existsSync(libraries)) return libraries
  console.log(`Fetching OpenSearch ${version}…`)
  const startedAt = performance.now()
  const draft = `${libraries}-draft`
  rmSync(draft, { recursive: true, force: true })
  const { status, stdout, error } = spawnSync(
    requireProgram('mvn', 'maven'),
    [
      ...['--batch-mode', '--quiet', '--strict-checksums', '--file', join(source, 'pom.xml')],
      ...['dependency:copy-dependencies@jars', 'dependency:unpack-dependencies@plugin', `-Dfolder=${draft}`],
    ],
    { encoding: 'utf8' },
  )
  if (status !== 0)
    throw new Error(`OpenSearch could not be fetched with Maven: ${error?.message ?? stdout.trim()}`)
  renameSync(draft, libraries)
  console.log(`Fetched it in ${Math.round((performance.now() - startedAt) / 1000)} s.`)
  return libraries
}

export interface OpenSearchServer {
  url: string
  stop(): Promise<void>
}

/** Starts a server with a folder of its own, which is deleted when it stops. */
export async function startOpenSearch(): Promise<OpenSearchServer> {
  // Java compiles the file itself, which only a development kit can.
  requireProgram('javac', 'default-jdk-headless')
  const java = requireProgram('java', 'default-jdk-headless')
  const classPath = join(requireLibraries(), '*')
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-opensearch-'))
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const server = await startPeer(
    java,
    [
      '-Xmx512m',
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-cp',
      classPath,
      join(source, 'OpenSearchPeer.java'),
      folder,
      String(port),
    ],
    () =>
      fetch(`${url}/_cluster/health?wait_for_status=yellow`).then(
        ({ ok }) => ok,
        () => false,
      ),
  )
  return {
    url,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
