import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { authApi } from '@lyceum/contract/auth'
import { type Acknowledged, findLosses, setUpChannel, signInAsOwner, startLoad } from './acknowledged-load.ts'
import { createHttpClient } from './http-client.ts'
import { runCli } from './run-cli.ts'
import { spawnServer } from './spawn-server.ts'

// A small disaster drill: an installation is backed up under load, is killed, and is restored elsewhere.

type Env = Record<string, string>

export interface DrillOptions {
  from: Env
  to: Env
  /** Milliseconds of load before and after the backup. */
  before: number
  after: number
}

export interface DrillOutcome {
  /** Counts of what was acknowledged before the backup began. */
  messages: number
  documents: number
  approvals: number
  /** What was lost or changed, one sentence each. */
  faults: string[]
}

async function runCommand(args: readonly string[], env: Env): Promise<void> {
  const { code, stderr } = await runCli(args, env)
  if (code !== 0) throw new Error(`lyceum ${args[0]} exited with ${code}: ${stderr}`)
}

/**
 * Runs load, takes a backup, kills the server and restores elsewhere. Reports everything acknowledged that was lost or
 * changed.
 */
export async function runBackupDrill({ from, to, before, after }: DrillOptions): Promise<DrillOutcome> {
  const path = join(from['DATA_DIR'] ?? '', 'drill.tar.gz')
  const server = await spawnServer(from)
  let token: string
  let channelId: string
  let acknowledged: Acknowledged[]
  try {
    channelId = await setUpChannel(server)
    const client = await signInAsOwner(server.url)
    token = client.token
    const work = startLoad(client, channelId)
    await Promise.race([pause(before), work.ended])
    const begun = performance.now()
    await Promise.race([runCommand(['backup', path], from), work.ended])
    await Promise.race([pause(after), work.ended])
    work.expectKill()
    await server.kill()
    await work.ended
    acknowledged = work.acknowledged.filter(({ at }) => at < begun)
  } finally {
    await server.kill()
  }
  await runCommand(['backup', '--verify', path], from)
  await runCommand(['restore', path], to)
  const restored = await spawnServer(to)
  try {
    const faults: string[] = []
    const old = await createHttpClient(restored.url, token).request(authApi.me, {})
    if (old.status !== 401) faults.push(`a session from before the backup answers ${old.status}`)
    const client = await signInAsOwner(restored.url)
    faults.push(...(await findLosses(client, channelId, acknowledged)))
    function count(kind: Acknowledged['what']['kind']): number {
      return acknowledged.filter(({ what }) => what.kind === kind).length
    }
    return {
      messages: count('message'),
      documents: count('document'),
      approvals: count('approval'),
      faults,
    }
  } finally {
    await restored.kill()
  }
}
