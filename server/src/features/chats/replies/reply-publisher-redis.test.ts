import pino from 'pino'
import { expect, it } from 'vitest'
import { connectRedis } from '#providers/redis/client.ts'
import { createRedisLog } from '#providers/shared-event-log/redis-log.ts'
import { startTestRedis } from '#testing/test-redis.ts'
import { createReplyPublisher } from './reply-publisher.ts'

it('shows text before it is known that Redis does not answer', async () => {
  const log = pino({ level: 'silent' })
  const redis = await startTestRedis()
  const commands = connectRedis(redis.url, { name: 'commands', log })
  const eventLog = createRedisLog({
    node: 'this',
    prefix: 'test',
    commands,
    reader: commands,
    forgetEarlier: async () => undefined,
    log,
  })
  await expect.poll(() => eventLog.isFailing).toBe(false)
  const happened: string[] = []
  const publisher = createReplyPublisher({
    eventLog: {
      ...eventLog,
      isFailing: false,
      push: (frames) =>
        eventLog.push(frames).then(
          () => void happened.push('stored'),
          (error: unknown) => {
            happened.push('failed')
            throw error
          },
        ),
    },
    show: (_, seq) => void happened.push(`shown ${seq}`),
    log,
  })
  redis.pause()
  publisher.add([{ id: 'reply', last_event: 1, isEnd: true }])
  await publisher.flush()
  // Shown once more when the attempt is over, which changes nothing.
  expect(happened).toEqual(['shown 1', 'failed', 'shown 1'])
  expect(eventLog.isFailing).toBe(true)
  commands.disconnect()
  await redis.close()
})
