import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { createHttpClient, type HttpClient } from './http-client.ts'
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

interface Acknowledged {
  at: number
  what:
    | { kind: 'message'; chatId: string; text: string }
    | { kind: 'document'; id: string; sha256: string }
    | { kind: 'approval'; id: string }
}

const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }
const messagesPerChat = 5

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

async function signIn(url: string): Promise<HttpClient & { token: string }> {
  const { token = '' } = await createHttpClient(url, '').call(authApi.login, { body: owner })
  return { ...createHttpClient(url, token), token }
}

/** Sends requests until the server is killed and records what was acknowledged. */
function startLoad(client: HttpClient, channelId: string) {
  const acknowledged: Acknowledged[] = []
  let isStopping = false
  function note(what: Acknowledged['what']) {
    return acknowledged.push({ at: performance.now(), what })
  }
  async function repeat(work: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !isStopping; round += 1)
      try {
        await work(round)
      } catch (error) {
        // Requests fail once the server is being killed.
        if (!isStopping) throw error
      }
  }
  let chatId = ''
  const chat = repeat(async (round) => {
    if (round % messagesPerChat === 0)
      chatId = (await client.call(chatsApi.create, { params: { channelId }, body: {} }))._id
    const text = `Question number ${round}, asked once`
    await client.call(chatsApi.send, { params: { channelId, chatId }, body: { message: text } })
    note({ kind: 'message', chatId, text })
  })
  const documents = repeat(async (round) => {
    const content = `Rule ${round}.\n\n${'A room closes in the evening. '.repeat(20 + (round % 50))}`
    const fields = { channelId, title: `rule-${round}.txt` }
    const answer = await client.upload(documentsApi.upload, fields, { name: `rule-${round}.txt`, content })
    if (!answer.ok) throw new Error(`an upload failed with status ${answer.status}`)
    const { _id: id } = (await answer.json()) as Document
    note({ kind: 'document', id, sha256: sha256(content) })
    if (round % 2 === 1) return
    await client.call(documentsApi.approve, { params: { id } })
    note({ kind: 'approval', id })
  })
  return {
    acknowledged,
    /** Call before the server is killed. */
    expectKill: () => {
      isStopping = true
    },
    ended: Promise.all([chat, documents]),
  }
}

async function findMessageFaults(
  client: HttpClient,
  channelId: string,
  before: readonly Acknowledged[],
): Promise<string[]> {
  const faults: string[] = []
  const byChat = new Map<string, string[]>()
  for (const { what } of before)
    if (what.kind === 'message') byChat.set(what.chatId, [...(byChat.get(what.chatId) ?? []), what.text])
  for (const [chatId, texts] of byChat) {
    const { messages } = await client.call(chatsApi.get, { params: { channelId, chatId } })
    for (const text of texts) {
      const times = messages.filter(({ role, content }) => role === 'user' && content === text).length
      if (times !== 1) faults.push(`“${text}” appears ${times} times`)
    }
  }
  return faults
}

async function findDocumentFaults(client: HttpClient, before: readonly Acknowledged[]): Promise<string[]> {
  const faults: string[] = []
  for (const { what } of before) {
    if (what.kind === 'document') {
      const file = await client.request(documentsApi.download, { params: { id: what.id } })
      const hash = sha256(new Uint8Array(await file.arrayBuffer()))
      if (hash !== what.sha256) faults.push(`document ${what.id} has other content (status ${file.status})`)
    }
    if (what.kind === 'approval') {
      const { status } = await client.call(documentsApi.get, { params: { id: what.id } })
      if (status !== 'approved') faults.push(`document ${what.id} is back to ${status}`)
    }
  }
  return faults
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
    const setupToken = server.setupToken()
    await createHttpClient(server.url, '').call(authApi.register, { body: { ...owner, token: setupToken } })
    const client = await signIn(server.url)
    token = client.token
    const channel = { name: 'Handbook', description: 'Rules', llmModel: 'gpt-4o' as const }
    channelId = (await client.call(channelsApi.create, { body: channel }))._id
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
    const client = await signIn(restored.url)
    faults.push(...(await findMessageFaults(client, channelId, acknowledged)))
    faults.push(...(await findDocumentFaults(client, acknowledged)))
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
