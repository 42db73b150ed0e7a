import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import {
  type Acknowledged,
  findLosses,
  setUpChannel,
  signInAsOwner,
  startLoad,
} from '../../server/src/testing/acknowledged-load.ts'
import type { HttpClient } from '../../server/src/testing/http-client.ts'
import { createSmallDisk, type SmallDisk } from '../../server/src/testing/small-disk.ts'
import { type SpawnedServer, spawnServer } from '../../server/src/testing/spawn-server.ts'
import type { Figure } from '../figures.ts'

const rounds = 10
/** Uploads need 512 MB of free space. */
const diskMegabytes = 768
const longestLoad = 3000
const mainPath = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))

function startOn(disk: SmallDisk, env: Record<string, string>): Promise<SpawnedServer> {
  return spawnServer({ ...env, DATA_DIR: disk.folder }, disk.run(process.execPath, mainPath))
}

interface Round {
  chat: { channelId: string; chatId: string }
  /** A channel that may be deleted. */
  spareChannelId: string
}

async function prepareRound(client: HttpClient, channelId: string, round: number): Promise<Round> {
  const { _id: chatId } = await client.call(chatsApi.create, { params: { channelId }, body: {} })
  const body = { name: `Spare ${round}`, description: 'To be deleted', llmModel: 'gpt-4o' as const }
  return {
    chat: { channelId, chatId },
    spareChannelId: (await client.call(channelsApi.create, { body }))._id,
  }
}

async function send(client: HttpClient, params: Round['chat']): Promise<number> {
  const answer = await client.request(chatsApi.send, { params, body: { message: 'Is there space?' } })
  await answer.arrayBuffer()
  return answer.status
}

/** Administrators must be able to sign in, read and delete on a full disk. A message must be refused. */
async function findFaultsWhenFull(
  { url }: SpawnedServer,
  { chat, spareChannelId }: Round,
): Promise<string[]> {
  const client = await signInAsOwner(url)
  const statuses = {
    message: await send(client, chat),
    read: (await client.request(channelsApi.list, {})).status,
    deletion: (await client.request(channelsApi.remove, { params: { id: spareChannelId } })).status,
  }
  const expected = { message: 507, read: 200, deletion: 200 }
  return isDeepStrictEqual(statuses, expected)
    ? []
    : [`on a full disk the statuses were ${JSON.stringify(statuses)}`]
}

/** Milliseconds until a message is accepted again. */
async function measureRecovery(client: HttpClient, chat: Round['chat']): Promise<number> {
  const begun = performance.now()
  while ((await send(client, chat)) !== 200) await sleep(50)
  return performance.now() - begun
}

/** The next fault is only survived with a reserve. */
async function waitForReserve(disk: SmallDisk): Promise<void> {
  while (!existsSync(join(disk.path, 'reserve'))) await sleep(50)
}

/** Fills the disk at a random instant of load. In every second round the server is killed and started on the full disk. */
export async function runFullDisk(
  folder: string,
  label: string,
  env: Record<string, string>,
  random: () => number,
  logStep: (step: string) => void,
): Promise<Figure[]> {
  await mkdir(folder)
  const disk = await createSmallDisk(folder, diskMegabytes)
  let server = await startOn(disk, env)
  const acknowledged: Acknowledged[] = []
  const found: string[] = []
  let slowestRecovery = 0
  try {
    const channelId = await setUpChannel(server)
    for (let round = 1; round <= rounds; round += 1) {
      await waitForReserve(disk)
      const prepared = await prepareRound(await signInAsOwner(server.url), channelId, round)
      const load = startLoad(await signInAsOwner(server.url), channelId)
      await Promise.race([sleep(random() * longestLoad), load.ended])
      load.expectKill()
      disk.fill()
      await load.ended
      if (round % 2 === 0) {
        await server.kill()
        server = await startOn(disk, env)
      }
      const faults = await findFaultsWhenFull(server, prepared)
      disk.free()
      const client = await signInAsOwner(server.url)
      slowestRecovery = Math.max(slowestRecovery, await measureRecovery(client, prepared.chat))
      faults.push(...(await findLosses(client, channelId, load.acknowledged)))
      acknowledged.push(...load.acknowledged)
      found.push(...faults)
      logStep(`full disk, ${label}, ${round} of ${rounds}: ${faults.join('; ') || 'nothing lost'}`)
    }
  } finally {
    await server.kill()
    disk.remove()
  }
  const name = `${rounds} full disks, ${label}`
  return [
    {
      label: `${name}: acknowledged changes lost, calls with a wrong answer`,
      value: found.length,
      unit: '',
      max: 0,
      note: `of ${acknowledged.length} changes`,
    },
    { label: `${name}: slowest recovery`, value: slowestRecovery / 1000, unit: 's', max: 15 },
  ]
}
