import type { Channel } from '@lyceum/contract/channels'

/** “Channel 2” before “Channel 10”, regardless of case. */
const naturalOrder = new Intl.Collator(undefined, { numeric: true })

/** Sorts channels by name as people count. A paged list keeps the order of the server instead. */
export function sortByName(channels: readonly Channel[]): Channel[] {
  return channels.toSorted((one, other) => naturalOrder.compare(one.name, other.name))
}

/** The channels whose name or description contains the text. */
export function findChannels(channels: readonly Channel[], text: string): readonly Channel[] {
  const wanted = text.trim().toLocaleLowerCase()
  if (wanted === '') return channels
  return channels.filter(({ name, description }) =>
    `${name}\n${description}`.toLocaleLowerCase().includes(wanted),
  )
}
