import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectPostgres } from '../../server/src/db/client.ts'
import { findFreePort, type SpawnedServer, spawnServer } from '../../server/src/testing/spawn-server.ts'

/** The exit code of a server whose lease others have taken over. It is started again, as its supervisor would do. */
const leaseLost = 14
/** What a server prints with that code. */
const leaseLostText = /declared dead|renew its lease/
const longestRestarts = 5

/** Milliseconds after which a server that did not reach its fault point is killed anyway. */
const longestWait = 20_000

/** A server of the cluster with its supervisor. It keeps its address when it is started again. */
export interface ClusterServer {
  name: string
  url: string
  start(): Promise<void>
  kill(): Promise<void>
  /**
   * Stops it, and starts it so that it kills itself at a point of its code. After a while, kills it anyway. Returns
   * whether it reached the point.
   */
  killAt(faultPoint: string): Promise<boolean>
  /** How often it has ended because it could not renew its lease in time. */
  leasesLost(): number
}

export async function createClusterServer(
  name: string,
  folder: string,
  settings: Record<string, string>,
): Promise<ClusterServer> {
  const port = await findFreePort()
  const env = { ...settings, NODE_NAME: name, DATA_DIR: join(folder, name), PORT: String(port) }
  let running: SpawnedServer | null = null
  let restarting = Promise.resolve()
  let isWanted = false
  let losses = 0

  async function launch(): Promise<SpawnedServer> {
    for (let restarts = 0; ; restarts += 1)
      try {
        return await spawnServer(env)
      } catch (error) {
        // On a busy machine, a server may lose its lease while it starts.
        if (restarts === longestRestarts || !leaseLostText.test(String(error))) throw error
        losses += 1
      }
  }

  async function start(): Promise<void> {
    isWanted = true
    const launched = await launch()
    running = launched
    void launched.exitCode.then((code) => {
      if (code !== leaseLost || !isWanted) return
      losses += 1
      restarting = start()
    })
  }

  async function release(): Promise<SpawnedServer | null> {
    isWanted = false
    await restarting
    return running
  }

  return {
    name,
    url: `http://127.0.0.1:${port}`,
    start,
    kill: async () => (await release())?.kill(),
    async killAt(faultPoint) {
      await (await release())?.stop()
      // It may reach the point before it is ready.
      running = await spawnServer({ ...env, FAULT_POINT: faultPoint }).catch(() => null)
      if (running === null) return true
      const waiting = new AbortController()
      const code = await Promise.race([
        running.exitCode,
        sleep(longestWait, leaseLost, { signal: waiting.signal }).catch(() => leaseLost),
      ])
      waiting.abort()
      await running.kill()
      return code === null
    },
    leasesLost: () => losses,
  }
}

/** Lets PostgreSQL crash: it ends all connections, recovers, and empties unlogged tables. Needs it on this machine. */
export async function crashPostgres(databaseUrl: string): Promise<void> {
  const client = await connectPostgres(databaseUrl)
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
  await ended
}
