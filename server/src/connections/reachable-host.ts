import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMetadataAddress } from '#lib/network.ts'
import { AppError } from '../errors.ts'

const lookupTimeout = 5_000

async function resolve(host: string): Promise<string[]> {
  const timer = new AbortController()
  try {
    const found = await Promise.race([
      lookup(host.replace(/^\[|\]$/g, ''), { all: true }),
      sleep(lookupTimeout, [], { signal: timer.signal }),
    ])
    return found.map(({ address }) => address)
  } catch {
    return []
  } finally {
    timer.abort()
  }
}

/**
 * Refuses hosts that have no address, and those at which a cloud serves credentials to the machine. Other internal
 * addresses are allowed, because a model or a mail server often runs on the same machine or network.
 */
export async function requireReachableHost(
  host: string,
  field: 'baseUrl' | 'url' | 'host' | 'issuer',
): Promise<void> {
  const addresses = await resolve(host)
  const message =
    addresses.length === 0
      ? 'This host name was not found. Check its spelling.'
      : addresses.some(isMetadataAddress)
        ? 'Lyceum does not connect to link-local addresses.'
        : null
  if (message !== null) throw new AppError('validation.failed', { message, fields: { [field]: message } })
}
