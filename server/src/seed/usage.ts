import type { Deps } from '../deps.ts'
import { countFeedback, countReplies, countRequest } from '../features/analytics/count-usage.ts'
import type { ChannelName } from './channels.ts'
import type { MemberName, SeededUsers } from './users.ts'

const day = 86_400_000
const daysCounted = 62

/** The requests of an ordinary working day in each channel: who asks, and how often the reply is a refusal. */
const habits: readonly {
  channel: ChannelName
  users: readonly MemberName[]
  model: string
  perDay: number
  refusalShare: number
}[] = [
  {
    channel: 'policies',
    users: ['layla', 'yuki', 'oleksandra', 'zsofia', 'kwame', 'linh'],
    model: 'gpt-4o',
    perDay: 9,
    refusalShare: 0.12,
  },
  {
    channel: 'workshop',
    users: ['kwame', 'zsofia', 'oleksandra'],
    model: 'gpt-4o-mini',
    perDay: 5,
    refusalShare: 0.04,
  },
  { channel: 'desk', users: ['yuki', 'linh', 'kwame'], model: 'o3-mini', perDay: 7, refusalShare: 0 },
]

/** Returns pseudo-random numbers that are the same in every run. */
function createRandom() {
  let state = 20_261_121
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

type Random = () => number
type Tx = Parameters<typeof countRequest>[0]

interface Exchange {
  userId: string
  channelId: string
  now: number
  model: string
  refusalShare: number
  documents: readonly string[]
}

async function countExchange(tx: Tx, exchange: Exchange, random: Random): Promise<void> {
  const { userId, channelId, now, model, refusalShare, documents } = exchange
  await countRequest(tx, { userId, channelId, isNewMessage: random() > 0.08, now, isChannelLimited: false })
  const isRefused = random() < refusalShare
  const hasFailed = !isRefused && random() < 0.02
  // The first documents of a channel are cited most often.
  const cited = documents[Math.floor(random() ** 2 * documents.length)]
  await countReplies(tx, [
    {
      userId,
      channelId,
      askedAt: now,
      model,
      calls: [{ model, input: 400 + Math.floor(random() * 3200), output: 40 + Math.floor(random() * 520) }],
      ending: {
        state: hasFailed ? 'failed' : 'complete',
        mode: isRefused ? 'refusal' : 'model',
        timeToFirstWord: hasFailed ? null : 300 + 4000 * random() ** 4,
        citedDocuments: isRefused || hasFailed || cited === undefined ? [] : [cited],
      },
    },
  ])
  if (random() < 0.25)
    await countFeedback(tx, { channelId, askedAt: now, model }, null, random() < 0.85 ? 'good' : 'bad')
}

async function listApprovedDocuments(deps: Deps, channelId: string): Promise<string[]> {
  const rows = await deps.db
    .selectFrom('documents')
    .select('id')
    .where('channel_id', '=', channelId)
    .where('status', '=', 'approved')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Adds two months of usage figures, as if the chats behind them had been deleted. */
export async function addUsage(
  deps: Deps,
  users: SeededUsers,
  channels: Record<ChannelName, string>,
): Promise<void> {
  const random = createRandom()
  const today = deps.now() - (deps.now() % day)
  const channelsWithHabits = await Promise.all(
    habits.map(async (habit) => {
      const channelId = channels[habit.channel]
      return { ...habit, channelId, documents: await listApprovedDocuments(deps, channelId) }
    }),
  )
  await deps.db.transaction().execute(async (tx) => {
    for (let daysAgo = daysCounted; daysAgo > 0; daysAgo -= 1) {
      const at = today - daysAgo * day
      const isWeekend = [0, 6].includes(new Date(at).getUTCDay())
      // Usage grows from week to week.
      const volume = (isWeekend ? 0.15 : 1) * (1.3 - daysAgo / 100)
      for (const { users: names, perDay, ...channel } of channelsWithHabits) {
        const count = Math.round(perDay * volume * (0.6 + random() * 0.8))
        for (let asked = 0; asked < count; asked += 1) {
          const name = names[Math.floor(random() * names.length)]
          if (name === undefined) continue
          const now = at + Math.floor((8 + random() * 9) * 3_600_000)
          await countExchange(tx, { ...channel, userId: users.members[name].userId, now }, random)
        }
      }
    }
  })
}
