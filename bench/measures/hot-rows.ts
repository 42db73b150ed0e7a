import { addDays, formatDay, startOfDay } from '@lyceum/contract/analytics'
import { type Db, openDatabase } from '../../server/src/db/client.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { countRequest } from '../../server/src/features/analytics/count-usage.ts'
import { type Figure, type Measure, median } from '../figures.ts'
import { withPostgres } from '../postgres.ts'

const writers = 16
const rounds = 7
/** Below the number from which on a day is divided. */
const requestsPerRound = 900
const channelId = 'channel'

/** Fills the first slots as much as divides the counts of the day. */
async function makeBusy(db: Db, day: string): Promise<void> {
  await db
    .insertInto('usage_days')
    .values(['', channelId].map((channel_id) => ({ channel_id, day, model: '', asked: 1000 })))
    .execute()
}

/** Counts requests of many users in one channel. Returns the commits per second. */
async function countRequests(db: Db, day: string): Promise<number> {
  const now = startOfDay(day)
  const options = { channelId, isNewMessage: true, now, isChannelLimited: false }
  let next = 0
  async function write(): Promise<void> {
    while (next < requestsPerRound) {
      const userId = `user-${next}`
      next += 1
      await db.transaction().execute((tx) => countRequest(tx, { ...options, userId }))
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: writers }, write))
  return requestsPerRound / ((performance.now() - begun) / 1000)
}

async function measureRounds(db: Db): Promise<Figure[]> {
  let day = formatDay(Date.now())
  const rates: Record<'one' | 'slots', number[]> = { one: [], slots: [] }
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1)
    for (const rows of round % 2 === 0 ? (['one', 'slots'] as const) : (['slots', 'one'] as const)) {
      day = addDays(day, 1)
      if (rows === 'slots') await makeBusy(db, day)
      const rate = await countRequests(db, day)
      if (round > 0) rates[rows].push(rate)
    }
  const [one, slots] = [median(rates.one), median(rates.slots)]
  return [
    { label: 'commits of 16 writers, one row for all', value: one, unit: '/s' },
    { label: 'commits of 16 writers, 16 slots', value: slots, unit: '/s' },
    { label: '16 slots ÷ one row', value: slots / one, unit: '×' },
  ]
}

export const hotRows: Measure = {
  name: 'hot-rows',
  title: `Counting requests of one channel on PostgreSQL, ${rounds} rounds in turn`,
  run: (logStep) =>
    withPostgres(
      async (createDatabase) => {
        const db = openDatabase({ postgres: await createDatabase(), poolSize: writers })
        try {
          logStep('counting')
          await migrate(db)
          return await measureRounds(db)
        } finally {
          await db.destroy()
        }
      },
      { isDurable: true },
    ),
}
