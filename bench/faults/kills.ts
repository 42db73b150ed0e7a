import { setTimeout as sleep } from 'node:timers/promises'
import {
  findLosses,
  type Load,
  setUpChannel,
  signInAsOwner,
  startLoad,
} from '../../server/src/testing/acknowledged-load.ts'
import { type SpawnedServer, spawnServer } from '../../server/src/testing/spawn-server.ts'
import type { Figure } from '../figures.ts'

const rounds = 20
/** The server ends at a random instant within this many milliseconds of load. */
const longestLoad = 3000

/** How the server ends: as in a power cut, or as an operator stops it. */
type Ending = 'kill -9' | 'SIGTERM'

/** Sends load, ends the server at a random instant and starts it again. Everything acknowledged must be there. */
export async function runKills(
  label: string,
  ending: Ending,
  env: Record<string, string>,
  random: () => number,
  logStep: (step: string) => void,
): Promise<Figure[]> {
  const losses: string[] = []
  let [acknowledged, slowestStart, badExits] = [0, 0, 0]
  let server = await spawnServer(env)
  try {
    const channelId = await setUpChannel(server)
    for (let round = 1; round <= rounds; round += 1) {
      const load = startLoad(await signInAsOwner(server.url), channelId)
      if (!(await endServer(server, ending, load, random() * longestLoad))) badExits += 1
      const begun = performance.now()
      server = await spawnServer(env)
      slowestStart = Math.max(slowestStart, performance.now() - begun)
      acknowledged += load.acknowledged.length
      const found = await findLosses(await signInAsOwner(server.url), channelId, load.acknowledged)
      losses.push(...found)
      logStep(`${label}, ${ending} ${round} of ${rounds}: ${found.join('; ') || 'nothing lost'}`)
    }
  } finally {
    await server.kill()
  }
  const name = `${ending} under load, ${label}`
  return [
    {
      label: `${name}: acknowledged changes lost or doubled`,
      value: losses.length,
      unit: '',
      max: 0,
      note: `of ${acknowledged}, in ${rounds} rounds`,
    },
    { label: `${name}: slowest start afterwards`, value: slowestStart / 1000, unit: 's', max: 10 },
    ...(ending === 'SIGTERM'
      ? [{ label: `${name}: exits with another code than 0`, value: badExits, unit: '', max: 0 }]
      : []),
  ]
}

/** Returns whether the server ended as it should. */
async function endServer(
  server: SpawnedServer,
  ending: Ending,
  load: Load,
  afterMs: number,
): Promise<boolean> {
  await Promise.race([sleep(afterMs), load.ended])
  load.expectKill()
  const code = ending === 'SIGTERM' ? await server.stop() : await server.kill()
  await load.ended
  return ending === 'kill -9' || code === 0
}
