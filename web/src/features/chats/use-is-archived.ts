import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { channelQuery } from '#features/channels/queries.ts'

/** Whether nothing can be added to the channel; undefined until it is loaded. */
export function useIsArchived(channelId: string): boolean | undefined {
  const { data: channel } = useQuery({ ...channelQuery(channelId), meta: { quiet: true } })
  return channel && channel.isArchived === true
}

/** Whether the channel was archived while this component showed it. */
export function useIsNewlyArchived(isArchived: boolean | undefined): boolean {
  const [wasInUse, setWasInUse] = useState(false)
  if (isArchived === false && !wasInUse) setWasInUse(true)
  return wasInUse && isArchived === true
}
