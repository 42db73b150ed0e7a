import { BlockList, isIP } from 'node:net'

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

function splitGroups(part: string): string[] {
  return part.split(':').filter((group) => group !== '')
}

/** An address as proxies write it: IPv6 may be in brackets, and some add the port of the connection. */
const forwardedAddress = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::\d{1,5})?$/

/** Reads an address from `X-Forwarded-For`; null if it is none. */
export function parseAddress(text: string | undefined): string | null {
  const { v6, v4 } = (text === undefined ? null : forwardedAddress.exec(text))?.groups ?? {}
  const address = v6 ?? v4 ?? text ?? ''
  return isIP(address) === 0 ? null : address
}

/** The key under which an address is counted. For IPv6 it is the /64 network, as subscribers get whole networks. */
export function getNetwork(ip: string): string {
  const ipv4 = mapped.exec(ip)?.[1]
  if (ipv4) return ipv4
  if (!ip.includes(':')) return ip
  const [head = '', tail = ''] = ip.replace(/%.*$/, '').split('::')
  const before = splitGroups(head)
  const after = splitGroups(tail)
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/**
 * Addresses at which clouds serve credentials to the machine itself: all of link-local, and the two services outside it.
 */
const metadataServices = new BlockList()
metadataServices.addSubnet('169.254.0.0', 16)
metadataServices.addSubnet('fe80::', 10, 'ipv6')
metadataServices.addAddress('fd00:ec2::254', 'ipv6')
metadataServices.addAddress('100.100.100.200')

/** Whether Lyceum must never connect to this IP address on a user's behalf. */
export function isMetadataAddress(ip: string): boolean {
  return metadataServices.check(ip.replace(/%.*$/, ''), ip.includes(':') ? 'ipv6' : 'ipv4')
}
