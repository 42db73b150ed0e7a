import { useQuery } from '@tanstack/react-query'
import { channelQuery } from '#features/channels/queries.ts'

/** Whether nothing can be added to the channel; undefined until it is loaded. */
export function useIsArchived(channelId: string): boolean | undefined {
  const { data: channel } = useQuery({ ...channelQuery(channelId), meta: { quiet: true } })
  return channel && channel.isArchived === true
}
