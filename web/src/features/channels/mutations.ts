import { type ChannelInput, channelsApi } from '@lyceum/contract/channels'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** Creates a channel, or changes the one with this id. */
export const useSaveChannel = (id: string | null) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ChannelInput) =>
      id === null ? call(channelsApi.create, { body }) : call(channelsApi.update, { params: { id }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['channels'] }),
  })
}
