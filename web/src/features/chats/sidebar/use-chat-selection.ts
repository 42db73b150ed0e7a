import type { Chat } from '@lyceum/contract/chats'
import { id as idForm } from '@lyceum/contract/wire'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { isNotFound } from '#api/api-error.ts'
import { channelQuery } from '#features/channels/queries.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { chatsQuery, threadKey } from '../queries.ts'
import { useErrorToast } from '../use-error-toast.ts'
import { useIsArchived } from '../use-is-archived.ts'
import { dropChat, useCreateChat, usePinChat, useRemoveChat, useRenameChat } from './use-chats.ts'

/** The chat that a channel opens with. The list itself begins with the pinned chats. */
function findLastUpdated(chats: readonly Chat[]): Chat | undefined {
  return chats.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0]
}

/** A channel's chats and the selected one, whose id is in the URL. */
export function useChatSelection(channelId: string) {
  const client = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const list = useInfiniteQuery(chatsQuery(channelId))
  const chats = list.data
  const newest = chats === undefined ? null : (findLastUpdated(chats)?._id ?? null)
  // Ignore a malformed chat id in the URL.
  const requestedId = idForm.safeParse(search.get('chat')).data ?? null
  const currentId = requestedId ?? newest

  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  /** Returns false after the user has left: a late response must not navigate back to this channel. */
  function select(chatId: string | null, replace: boolean): boolean {
    if (isMounted.current) setSearch(chatId === null ? {} : { chat: chatId }, { replace })
    return isMounted.current
  }

  const create = useCreateChat(channelId, ({ _id }) => select(_id, false))
  const createFirst = useCreateChat(channelId, ({ _id }) => select(_id, true))
  const remove = useRemoveChat(channelId, (removedId) => {
    if (removedId !== currentId) return
    select(chats?.find(({ _id }) => _id !== removedId)?._id ?? null, true)
  })
  const rename = useRenameChat(channelId)
  const pin = usePinChat(channelId)
  // A 404 means that the channel is missing, which the screen reports.
  const listError = chats === undefined && !isNotFound(list.error) ? list.error : null
  useErrorToast(listError, texts.chat.loadChatsFailed)

  // Put the newest chat into the URL, so that it stays selected when another one moves above it.
  useEffect(() => {
    if (requestedId === null && newest !== null) setSearch({ chat: newest }, { replace: true })
  }, [requestedId, newest, setSearch])

  const isArchived = useIsArchived(channelId)
  const wasOpened = useRef(false)
  const isListed = list.isFetchedAfterMount && list.isSuccess
  const isEmpty = chats?.length === 0
  const { mutate: createFirstChat } = createFirst
  useEffect(() => {
    // Only when the channel is opened: deleting the last chat must not create another one.
    if (!isListed || isArchived === undefined || wasOpened.current) return
    wasOpened.current = true
    if (isEmpty && !isArchived) createFirstChat({ failed: texts.chat.createFirstFailed })
  }, [isListed, isEmpty, isArchived, createFirstChat])

  /** Selects another chat when the one in the URL does not exist. */
  async function replaceMissingChat(chatId: string, wasShown: boolean): Promise<void> {
    // If the channel is gone or no longer accessible, the screen reports that instead.
    const channelError = await client
      .fetchQuery({ ...channelQuery(channelId), staleTime: 0 })
      .catch((error) => error)
    if (isNotFound(channelError)) return
    dropChat(client, channelId, chatId)
    if (wasShown) toast.info(texts.chat.deletedElsewhere)
    else toast.error(texts.chat.loadMessagesFailed)
    select(chats?.find(({ _id }) => _id !== chatId)?._id ?? null, true)
  }

  return {
    list,
    chats,
    currentId,
    isArchived: isArchived === true,
    isLoading: list.isPending || createFirst.isPending || (isEmpty && isArchived === undefined),
    isCreating: create.isPending,
    /** The chat that was created last; its message field gets the focus. */
    createdId: create.data?._id ?? null,
    isRemoving: remove.isPending,
    /** Drops the cached messages of another chat, so that it is loaded again. */
    dropThread: (chatId: string): void => {
      if (chatId !== currentId) client.removeQueries({ queryKey: threadKey(channelId, chatId) })
    },
    create: (): void => {
      if (isArchived === true) toast.info(texts.chat.archived)
      else create.mutate({ ...texts.chat.create })
    },
    /** Resolves to false when the server refused. */
    remove: (chatId: string): Promise<boolean> =>
      remove.mutateAsync(chatId).then(
        () => true,
        () => false,
      ),
    pin: (chat: Chat, isPinned: boolean): void => pin.mutate({ chat, isPinned }),
    rename: rename.mutateAsync,
    /** Selects the previous or next chat in the list. */
    step: (by: 1 | -1): void => {
      const index = chats?.findIndex(({ _id }) => _id === currentId) ?? -1
      const next = chats?.[index + by]
      if (index !== -1 && next !== undefined) select(next._id, false)
    },
    replaceMissingChat,
  }
}

export type ChatSelection = ReturnType<typeof useChatSelection>
