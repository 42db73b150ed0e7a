import { type Channel, channelsApi } from '@lyceum/contract/channels'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { upload } from '#api/upload.ts'
import { useUpload } from '#api/use-upload.ts'
import { toast } from '#ui/toast.ts'
import { messages } from '../../messages/member.ts'

/** Sets a channel's picture. */
export const useSetWallpaper = ({ _id: id }: Channel, onDone: (filename: string) => void) => {
  const client = useQueryClient()
  return useUpload(
    (file, options) => upload(channelsApi.setWallpaper, { params: { id }, file, fields: {} }, options),
    (_, { name }) => {
      toast.success(messages.chat.documentUploaded(name))
      onDone(name)
      return client.invalidateQueries({ queryKey: ['channels'] })
    },
  )
}

export const useRemoveWallpaper = ({ _id: id }: Channel, onDone: () => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(channelsApi.removeWallpaper, { params: { id } }),
    onSuccess: () => {
      toast.success(messages.wallpaper.remove.done)
      onDone()
    },
    onError: (error) => toast.error(messageOf(error, messages.wallpaper.remove.failed)),
    onSettled: () => client.invalidateQueries({ queryKey: ['channels'] }),
  })
}
