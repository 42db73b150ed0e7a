import { type Channel, channelsApi } from '@lyceum/contract/channels'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { upload } from '#api/upload.ts'
import { useUpload } from '#api/use-upload.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { channelsKey } from '../queries.ts'

/** The first pattern found in the error decides the message. */
const uploadErrors: readonly [pattern: RegExp, message: string][] = [
  [/Document validation failed/, texts.wallpaper.missingFields],
  [/Network Error/, texts.wallpaper.network],
  [/\b500\b/, texts.wallpaper.server],
  [/\b401\b/, texts.wallpaper.signedOut],
  [/\b403\b/, texts.wallpaper.notAllowed],
  [/\b413\b/, texts.wallpaper.refusedAsTooLarge],
]

/** The text to search: status and server message, or 'Network Error' without a response. */
function toSearchableText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : ''
  return error.code === 'network' ? 'Network Error' : `${error.status} ${error.message}`
}

/** Explains why a wallpaper could not be uploaded (docs/product.md, "Pictures"). */
export function describeUploadError(error: unknown): string {
  const text = toSearchableText(error)
  const entry = uploadErrors.find(([pattern]) => pattern.test(text))
  return entry === undefined ? messageOf(error, texts.wallpaper.uploadFailed) : entry[1]
}

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
