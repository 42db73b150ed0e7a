const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

function groupsOf(part: string): string[] {
  return part.split(':').filter((group) => group !== '')
}

/** Whom an address is counted as: IPv6 hands whole networks to one subscriber, so those are one. */
export function networkOf(ip: string): string {
  const inside = mapped.exec(ip)?.[1]
  if (inside) return inside
  if (!ip.includes(':')) return ip
  const [head = '', tail = ''] = ip.replace(/%.*$/, '').split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail)
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
