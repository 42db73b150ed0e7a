import type { Group } from '@lyceum/contract/groups'
import { formatCount } from '#lib/format-count.ts'

/** What a group gives its members, as a sentence. */
export function describeGifts({
  channelCount,
  permissions,
}: Pick<Group, 'channelCount' | 'permissions'>): string {
  const gifts = [
    ...(channelCount > 0 ? [formatCount(channelCount, 'channel')] : []),
    ...(permissions.length > 0 ? [`administrators ${formatCount(permissions.length, 'permission')}`] : []),
  ]
  return gifts.length === 0 ? 'gives no channels or permissions yet.' : `gives ${gifts.join(' and ')}.`
}
