import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import pino from 'pino'
import { askRedis, connectRedis } from './client.ts'

export interface RedisFacts {
  version: string
  /** Whether it belongs to a Redis Cluster, or is a Sentinel. */
  isAlone: boolean
  /** What it does when its memory is full. */
  maxmemoryPolicy: string
  /** Whether a key could be written, read and deleted. Not tried on a server that is not alone. */
  isWritable: boolean
}

function readField(info: string, pattern: RegExp): string {
  return pattern.exec(info)?.[1] ?? 'unknown'
}

/** Connects once and writes a test key. */
export async function inspectRedis(url: string, prefix: string): Promise<RedisFacts> {
  const client = connectRedis(url, { name: 'doctor', log: pino({ level: 'silent' }) })
  try {
    await askRedis(once(client, 'ready'))
    const info = await askRedis(client.info())
    const isAlone = !/^(?:redis|server)_mode:(?:cluster|sentinel)/m.test(info)
    const key = `${prefix}:doctor`
    const value = randomBytes(8).toString('hex')
    const [, read] = isAlone
      ? await askRedis(Promise.all([client.set(key, value, 'PX', 60_000), client.get(key), client.del(key)]))
      : []
    return {
      version: readField(info, /^(?:valkey|redis)_version:(\S+)/m),
      isAlone,
      maxmemoryPolicy: readField(info, /^maxmemory_policy:(\S+)/m),
      isWritable: read === value,
    }
  } finally {
    client.disconnect()
  }
}
