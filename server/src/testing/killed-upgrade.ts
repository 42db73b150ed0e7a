import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseBackupTime } from '#backup/backup-names.ts'
import type { EarlierInstallation, UpgradeEnv } from './earlier-installation.ts'
import { launchServer, spawnServer } from './spawn-server.ts'
import { findUnreadable, listUpgradeBackups } from './upgrade-faults.ts'

function attemptPath({ DATA_DIR }: UpgradeEnv): string {
  return join(DATA_DIR, 'upgrade-attempt.json')
}

/** What an upgrade does when it is killed, in order. */
export const stages = ['start', 'backup', 'migrations', 'use'] as const
type KilledDuring = (typeof stages)[number]

function findStage(env: UpgradeEnv): KilledDuring {
  const backups = listUpgradeBackups(env)
  if (backups.every((name) => parseBackupTime(name) === null))
    return backups.length === 0 ? 'start' : 'backup'
  return existsSync(attemptPath(env)) ? 'migrations' : 'use'
}

/** Milliseconds that an upgrade takes if it is not killed. */
export interface UpgradeTimes {
  /** From the start of the process until the upgrade begins. */
  start: number
  /** From there until it has succeeded. */
  upgrade: number
}

/** Three of four instants are in the upgrade. The others follow it: the server gets ready and builds its indexes. */
function chooseInstant({ upgrade }: UpgradeTimes, random: () => number): number {
  return -Math.log(1 - random()) * 0.7 * upgrade
}

export interface Kill {
  stage: KilledDuring
  /** Milliseconds after the begin of the upgrade. */
  instant: number
}

/** Starts a server on an earlier installation and kills it at a random instant after it has begun to upgrade. */
export async function killUpgrade(env: UpgradeEnv, times: UpgradeTimes, random: () => number): Promise<Kill> {
  const isRetry = existsSync(attemptPath(env))
  const { child, output } = await launchServer(env)
  const exited = once(child, 'exit')
  while (!existsSync(attemptPath(env))) {
    if (child.exitCode !== null) throw new Error(`the server did not begin the upgrade:\n${output()}`)
    await sleep(1)
  }
  const instant = chooseInstant(times, random)
  // The record of an earlier attempt does not show when this one begins.
  await sleep(isRetry ? times.start + instant : instant)
  child.kill('SIGKILL')
  const [code] = await exited
  if (code !== null) throw new Error(`the upgrade ended with exit code ${code}:\n${output()}`)
  return { stage: findStage(env), instant }
}

/** Upgrades without a kill, and throws if anything is missing afterwards. */
export async function timeUpgrade(env: UpgradeEnv, installation: EarlierInstallation): Promise<UpgradeTimes> {
  const started = performance.now()
  const starting = spawnServer(env)
  const path = attemptPath(env)
  while (!existsSync(path)) await Promise.race([sleep(1), starting])
  const begun = performance.now()
  while (existsSync(path)) await Promise.race([sleep(1), starting])
  const times = { start: begun - started, upgrade: performance.now() - begun }
  const server = await starting
  try {
    const faults = await findUnreadable(server, installation, true)
    if (faults.length > 0) throw new Error(`an upgrade that was not killed has faults: ${faults.join('; ')}`)
    return times
  } finally {
    // A graceful stop also writes Node's compile cache, if there is one.
    await server.stop()
  }
}
