import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { isNotFound } from '#api/api-error.ts'
import { channelQuery, channelsQuery, isOwnChannel } from '#features/channels/queries.ts'
import { useErrorToast } from '#features/chats/use-error-toast.ts'
import { texts } from '#texts/member.ts'
import { product } from '#theme/product.ts'

/** Loads a channel and the user's channels. Redirects to the dashboard when the user cannot open the channel. */
export function useChannel(channelId: string) {
  const [, navigate] = useLocation()
  const { data: channel, error, isFetching } = useQuery(channelQuery(channelId))
  const { data: all = [] } = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  // A 404 cached on an earlier visit counts only once a new request confirms it.
  const isConfirmedMissing = isNotFound(error) && !isFetching
  const loadError = channel === undefined || isConfirmedMissing ? error : null
  useErrorToast(
    loadError,
    channel === undefined ? texts.chat.loadChannelFailed : texts.chat.channelAccessLost,
  )
  const client = useQueryClient()
  useEffect(() => {
    if (loadError === null) return
    const { queryKey } = channelsQuery()
    // The dashboard must not offer the channel until its list has been loaded again.
    client.setQueryData(queryKey, (known) => known?.filter(({ _id }) => _id !== channelId))
    void client.invalidateQueries({ queryKey, exact: true })
    navigate('/dashboard', { replace: true })
  }, [loadError, navigate, client, channelId])

  const name = channel?.name
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · ${product.name}`
  }, [name])

  const own = all.filter(isOwnChannel)
  const isListed = own.some(({ _id }) => _id === channelId)
  return {
    channel,
    channels: isListed || channel === undefined ? own : [channel, ...own],
    isUnavailable: loadError !== null,
  }
}
