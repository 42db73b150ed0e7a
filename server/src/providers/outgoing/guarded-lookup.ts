import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isMetadataAddress } from '#lib/network.ts'

function createRefusal(): NodeJS.ErrnoException {
  return Object.assign(new Error('link-local address'), { code: 'EMETADATA' })
}

/**
 * Resolves the host of a server that an administrator has set. Checked whenever a connection is opened, because the name
 * may get another address later.
 */
export const guardedLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '')
    const [first] = addresses
    if (first === undefined || addresses.some(({ address }) => isMetadataAddress(address)))
      return callback(createRefusal(), '')
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}

/** Throws for an address that needs no lookup and must not be connected to. */
export function requireAllowedAddress(host: string): void {
  if (isIP(host) !== 0 && isMetadataAddress(host)) throw createRefusal()
}
