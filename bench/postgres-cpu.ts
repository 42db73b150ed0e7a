import { readdirSync } from 'node:fs'
import { connectPostgres } from '../server/src/db/client.ts'
import { readStat, tickMs } from './server-process.ts'

interface ProcessTimes {
  parent: number
  /** CPU time in milliseconds. */
  own: number
  /** Of children that have ended. */
  ended: number
}

/** Null if the process has ended. */
function readTimes(pid: number): ProcessTimes | null {
  try {
    const [parent, ...times] = [1, 11, 12, 13, 14].map((at) => Number(readStat(pid)[at]))
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = times.map((ticks) => ticks * tickMs)
    return { parent: parent ?? 0, own: user + system, ended: endedUser + endedSystem }
  } catch {
    return null
  }
}

/**
 * Returns a function that reads the CPU time of a PostgreSQL server of this machine so far, in milliseconds. It includes
 * all its processes, also those that have ended.
 */
export async function createPostgresClock(url: string): Promise<() => number> {
  const client = await connectPostgres(url)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const server = readTimes(rows[0]?.pid ?? 0)?.parent ?? 0
  await client.end()
  return () => {
    const all = readdirSync('/proc').flatMap((name) => readTimes(Number(name)) ?? [])
    const { own = 0, ended = 0 } = readTimes(server) ?? {}
    return all.reduce((sum, process) => (process.parent === server ? sum + process.own : sum), own + ended)
  }
}
