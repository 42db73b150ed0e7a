import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectPostgres } from '../../server/src/db/client.ts'
import { findFreePort } from '../../server/src/testing/spawn-server.ts'
import { isRoot } from '../suites/debian.ts'
import { type PeerProcess, requireProgram, startPeer } from './process.ts'

export interface PgBouncer extends PeerProcess {
  /** The same address, through the pooler. */
  url: string
}

/** Starts PgBouncer in transaction mode in front of a PostgreSQL database. */
export async function startPgBouncer(folder: string, database: string): Promise<PgBouncer> {
  const program = requireProgram('pgbouncer')
  const { hostname, port, username, password } = new URL(database)
  const listenPort = await findFreePort()
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(
    config,
    [
      '[databases]',
      `* = host=${hostname} port=${port} user=${username} password=${password}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${listenPort}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'ignore_startup_parameters = statement_timeout',
      '',
    ].join('\n'),
    { mode: 0o644 },
  )
  const url = new URL(database)
  url.port = String(listenPort)
  // It refuses to run as root.
  const args = isRoot() ? ['-u', 'nobody', config] : [config]
  const peer = await startPeer(program, args, () => isReady(url.href))
  return { ...peer, url: url.href }
}

async function isReady(url: string): Promise<boolean> {
  try {
    await (await connectPostgres(url)).end()
    return true
  } catch {
    return false
  }
}
