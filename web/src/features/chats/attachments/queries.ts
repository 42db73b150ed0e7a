import { type Attachment, attachmentsApi } from '@lyceum/contract/attachments'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** The files of the user's chat that are uploaded and not sent yet. */
export function unsentFilesQuery(channelId: string, chatId: string) {
  return queryOptions({
    queryKey: ['unsent-files', channelId, chatId],
    queryFn: async ({ signal }): Promise<readonly Attachment[]> =>
      (await call(attachmentsApi.list, { params: { channelId, chatId } }, { signal })).attachments,
    meta: { quiet: true },
  })
}

/** Edits the cached list. A running request is cancelled, because its response would overwrite the edit. */
export async function editUnsentFiles(
  client: QueryClient,
  channelId: string,
  chatId: string,
  edit: (files: readonly Attachment[]) => readonly Attachment[],
): Promise<void> {
  const { queryKey } = unsentFilesQuery(channelId, chatId)
  await client.cancelQueries({ queryKey })
  client.setQueryData<readonly Attachment[]>(queryKey, (files = []) => edit(files))
}

export interface ChatAddress {
  channelId: string
  chatId: string
}

/** A picture of the user's chat. It never changes. */
export function pictureQuery(chat: ChatAddress, attachmentId: string) {
  return queryOptions({
    queryKey: ['attached-picture', attachmentId],
    queryFn: ({ signal }) => call(attachmentsApi.download, { params: { ...chat, attachmentId } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  })
}
