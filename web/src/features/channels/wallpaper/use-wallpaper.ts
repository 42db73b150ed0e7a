import { type Channel, channelsApi } from '@lyceum/contract/channels'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { upload } from '#api/upload.ts'
import { useUpload } from '#api/use-upload.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { channelsKey } from '../queries.ts'

/** Sets a channel's picture. */
export function useSetWallpaper({ _id: id }: Channel, onDone: (filename: string) => void) {
  const client = useQueryClient()
  return useUpload(
    (file, options) => upload(channelsApi.setWallpaper, { params: { id }, file, fields: {} }, options),
    (_, { name }) => {
      toast.success(texts.chat.documentUploaded(name))
      onDone(name)
      return client.invalidateQueries({ queryKey: channelsKey })
    },
  )
}

export function useRemoveWallpaper({ _id: id }: Channel, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(channelsApi.removeWallpaper, { params: { id } }),
    onSuccess: () => {
      toast.success(texts.wallpaper.remove.done)
      onDone()
    },
    onError: (error) => toast.error(messageOf(error, texts.wallpaper.remove.failed)),
    onSettled: () => client.invalidateQueries({ queryKey: channelsKey }),
  })
}
