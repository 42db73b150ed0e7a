import { attachmentsApi } from '@lyceum/contract/attachments'
import type { Citation } from '@lyceum/contract/citations'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { saveFile } from '#lib/save-file.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import type { ChatAddress } from '../queries.ts'

/** Returns null unless the source is a file that is attached to the chat: members cannot download documents. */
export function useDownloadFile(citation: Citation | null, chat: ChatAddress | undefined) {
  const download = useMutation({
    mutationFn: async ({ documentId, title, ...address }: Citation & ChatAddress) => {
      const { channelId, chatId } = address
      const params = { channelId, chatId, attachmentId: documentId }
      saveFile(await call(attachmentsApi.download, { params }), title)
    },
    onError: (error) => toast.error(messageOf(error, texts.chat.downloadFileFailed)),
  })
  if (citation?.isAttachment !== true || !citation.available || chat === undefined) return null
  return {
    isPending: download.isPending,
    start: (): void => {
      if (!download.isPending) download.mutate({ ...citation, ...chat })
    },
  }
}
