import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { channelQuery } from '#features/channels/queries.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'

/** How often an open channel is read again, in milliseconds. */
const intervalMs = 10_000

/**
 * Reads the channel again while it is on the screen. Members then learn without a reload that it was archived or
 * restored, that they lost access, and whether it can answer. A hidden tab reads it once it is shown again.
 */
export function useChannelWatch(channelId: string): void {
  const { data: channel } = useQuery({
    ...channelQuery(channelId),
    refetchInterval: intervalMs,
    meta: { quiet: true },
  })
  const wasArchived = useRef(false)
  useEffect(() => {
    if (channel === undefined) return
    const isArchived = channel.isArchived === true
    if (wasArchived.current && !isArchived) toast.info(texts.chat.restored)
    wasArchived.current = isArchived
  }, [channel])
}
