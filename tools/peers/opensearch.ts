import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import { findFreePort } from '../../server/src/testing/spawn-server.ts'
import { requireLibraries } from './maven.ts'
import { requireProgram, startPeer } from './process.ts'

const version = '2.19.1'
const source = join(root, 'tools', 'peers', 'opensearch')

export interface OpenSearchServer {
  url: string
  stop(): Promise<void>
}

/** Starts a server with a folder of its own, which is deleted when it stops. */
export async function startOpenSearch(): Promise<OpenSearchServer> {
  // Java compiles the file itself, which only a development kit can.
  requireProgram('javac', 'default-jdk-headless')
  const java = requireProgram('java', 'default-jdk-headless')
  const libraries = requireLibraries({
    name: 'OpenSearch',
    version,
    source,
    // With the k-NN plugin, 60 MB.
    goals: ['dependency:copy-dependencies@jars', 'dependency:unpack-dependencies@plugin'],
  })
  const classPath = join(libraries, '*')
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
