import { setTimeout as sleep } from 'node:timers/promises'
import type { ReplyEvent } from '@lyceum/contract/chats'
import { readServerEvents } from '../../server/src/providers/assistant/server-events.ts'
import { createTestChannel } from '../../server/src/testing/factories.ts'
import { spawnServer } from '../../server/src/testing/spawn-server.ts'
import type { Measure } from '../figures.ts'
import { createRandom } from '../random-text.ts'
import { withFolder } from '../server-process.ts'
import { type ChatTarget, createChatTargets } from '../streams/chat-targets.ts'
import { startModel } from '../streams/processes.ts'
import { withDeps } from '../with-deps.ts'

const usualRounds = 200
const repliesAtOnce = 200
/** Sends at the same time: more would be refused. */
const sendersAtOnce = 8
/** The server is killed at a random instant within this time after the last reply has begun. Milliseconds. */
const longestRun = 3000

/** What one reader has seen. */
interface Seen {
  target: ChatTarget
  messageId: string
  text: string
  citations: number
}

function add(seen: Seen, event: ReplyEvent): void {
  if (event.type === 'accepted') seen.messageId = event.reply._id
  if (event.type === 'delta') seen.text += event.text
  if (event.type === 'citation') seen.citations += 1
}

/** Resolves when the reply has begun; reads on in the background until the connection breaks. */
async function startReading(url: string, target: ChatTarget): Promise<Seen | null> {
  const response = await fetch(url + target.path, {
    method: 'POST',
    headers: { ...target.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'How many days of vacation do I have?' }),
  })
  if (!response.ok || !response.body) return null
  const seen: Seen = { target, messageId: '', text: '', citations: 0 }
  const events = readServerEvents(response.body)
  async function readAll(): Promise<void> {
    for await (const { data } of events) add(seen, JSON.parse(data) as ReplyEvent)
  }
  readAll().catch(() => undefined)
  return seen
}

async function startReplies(url: string, targets: readonly ChatTarget[]): Promise<Seen[]> {
  const left = [...targets]
  const started: Seen[] = []
  async function send(): Promise<void> {
    for (let target = left.pop(); target; target = left.pop()) {
      const seen = await startReading(url, target)
      if (seen) started.push(seen)
    }
  }
  await Promise.all(Array.from({ length: sendersAtOnce }, send))
  return started
}

interface StoredMessage {
  _id: string
  content: string
  state?: string
  citations?: unknown[]
}

/** Null if everything that was shown is there and the reply has an end. */
async function findLoss(url: string, { target, messageId, text, citations }: Seen): Promise<string | null> {
  const response = await fetch(url + target.chatPath, { headers: target.headers })
  if (!response.ok) throw new Error(`${target.chatPath} returned ${response.status}`)
  const { messages } = (await response.json()) as { messages: StoredMessage[] }
  const stored = messages.find(({ _id }) => _id === messageId)
  if (!stored) return messageId === '' ? null : 'an accepted reply is missing'
  if (stored.state === 'streaming') return 'a reply is still running'
  if (!stored.content.startsWith(text)) return `${text.length - stored.content.length} characters are missing`
  return (stored.citations?.length ?? 0) < citations ? 'a citation is missing' : null
}

export const replyKills: Measure = {
  name: 'reply-kills',
  title: `kill -9 while ${repliesAtOnce} replies are read: is everything that was shown still there?`,
  isLong: true,
  run: (logStep, { seed, rounds }) =>
    withFolder(async (folder) => {
      const count = rounds ?? usualRounds
      const random = createRandom(seed)
      const model = await startModel({ tokens: 400, delayMs: 50 })
      const env = { DATA_DIR: folder, OPENAI_BASE_URL: `${model.url}/v1`, RATE_LIMIT_SCALE: '100000' }
      const losses: string[] = []
      let [replies, characters] = [0, 0]
      try {
        for (let round = 1; round <= count; round += 1) {
          const [targets = []] = await withDeps(
            folder,
            async (deps) => createChatTargets(deps, await createTestChannel(deps), repliesAtOnce, 1),
            env,
          )
          const server = await spawnServer(env)
          const started = await startReplies(server.url, targets)
          await sleep(random() * longestRun)
          await server.kill()
          // What the system had received for the readers still counts as shown.
          await sleep(200)
          const next = await spawnServer(env)
          // One after the other, because the server refuses hundreds of requests at once.
          for (const seen of started) {
            const loss = await findLoss(next.url, seen)
            if (loss !== null) losses.push(loss)
          }
          await next.stop()
          replies += started.length
          characters += started.reduce((sum, { text }) => sum + text.length, 0)
          logStep(
            `round ${round} of ${count}, seed ${seed}: ${started.length} replies, ${losses.length} losses`,
          )
        }
      } finally {
        await model.stop()
      }
      return [
        {
          label: 'replies of which something shown was lost, or that never ended',
          value: losses.length,
          unit: '',
          max: 0,
          note: `of ${replies} replies and ${characters} characters shown, ${count} rounds; ${[...new Set(losses)].join('; ') || 'none'}`,
        },
      ]
    }),
}
