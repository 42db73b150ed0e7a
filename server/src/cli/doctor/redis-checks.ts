import type { BaseDeps } from '../../start.ts'
import { type Check, ok, problem, warning } from './finding.ts'

export function redisChecks({ env }: BaseDeps): Check[] {
  const { REDIS_URL: url, REDIS_PREFIX: prefix } = env
  if (url === undefined) return []
  return [
    {
      about: 'redis',
      async run() {
        const { inspectRedis } = await import('#providers/redis/inspect.ts')
        const { version, isAlone, isWritable, maxmemoryPolicy } = await inspectRedis(url, prefix)
        if (!isAlone)
          return problem(
            'REDIS_URL names a server of a Redis Cluster, or a Sentinel. It must name a single server.',
          )
        if (!isWritable) return problem('A key was written, but reading it returned something else.')
        return maxmemoryPolicy === 'noeviction'
          ? ok(`version ${version} answers; a key was written, read and deleted`)
          : warning(
              `Its maxmemory-policy is ${maxmemoryPolicy}. Set it to noeviction, so that it does not delete text that other servers still need.`,
            )
      },
    },
  ]
}
