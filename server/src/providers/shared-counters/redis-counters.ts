import type { Redis } from 'ioredis'
import { askRedis, RedisFailure } from '#providers/redis/client.ts'
import type { SharedCounters } from './port.ts'

/** Each key has a count and the milliseconds that a new window lasts. Returns, for each, the count and what remains. */
const addScript = `
local counts = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('INCRBY', key, ARGV[2 * i - 1])
  local remaining = redis.call('PTTL', key)
  if remaining < 0 then
    remaining = tonumber(ARGV[2 * i])
    redis.call('PEXPIRE', key, remaining)
  end
  counts[2 * i - 1] = count
  counts[2 * i] = remaining
end
return counts`

/** Counters that Redis removes at the end of their windows. */
export function createRedisCounters(commands: Redis, prefix: string): SharedCounters {
  return {
    isQuick: true,
    async add(counts) {
      const keys = counts.map(({ key }) => `${prefix}:rate:${key}`)
      const values = counts.flatMap(({ count, remaining }) => [count, remaining])
      try {
        const answer = await askRedis(commands.eval(addScript, keys.length, ...keys, ...values))
        const numbers = answer as number[]
        return counts.map(({ key }, at) => ({
          key,
          count: numbers[2 * at] ?? 0,
          remaining: numbers[2 * at + 1] ?? 0,
        }))
      } catch (error) {
        // Redis may still run what it has not answered. Adding it again would count it twice.
        if (error instanceof RedisFailure && error.isUncertain) return []
        throw error
      }
    },
    removeEnded: async () => undefined,
  }
}
