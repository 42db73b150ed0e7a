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
import { dropChat, useCreateChat, useRemoveChat, useRenameChat } from './use-chats.ts'

/** A channel's chats and which of them is shown. The address carries it, so that a reload keeps it. */
export function useChatSelection(channelId: string) {
  const client = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const list = useInfiniteQuery(chatsQuery(channelId))
  const chats = list.data
  const newest = chats?.[0]?._id ?? null
  // What no chat can be called is nobody's chat.
  const asked = idForm.safeParse(search.get('chat')).data ?? null
  const currentId = asked ?? newest

  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  /** What comes of a call that was under way leads nobody back who has gone to another channel since. */
  function select(chatId: string | null, replace: boolean): void {
    if (isHere.current) setSearch(chatId === null ? {} : { chat: chatId }, { replace })
  }

  const create = useCreateChat(channelId, ({ _id }) => select(_id, false))
  const createFirst = useCreateChat(channelId, ({ _id }) => select(_id, true))
  const remove = useRemoveChat(channelId, (removedId) => {
    if (removedId !== currentId) return
    select(chats?.find(({ _id }) => _id !== removedId)?._id ?? null, true)
  })
  const rename = useRenameChat(channelId)
  // Chats that are not there are those of a channel that is not there, which its screen says.
  const listError = chats === undefined && !isNotFound(list.error) ? list.error : null
  useErrorToast(listError, texts.chat.loadChatsFailed)

  // The newest one stays selected when another is written to and moves above it.
  useEffect(() => {
    if (asked === null && newest !== null) setSearch({ chat: newest }, { replace: true })
  }, [asked, newest, setSearch])

  const isOpened = useRef(false)
  const isListed = list.isFetchedAfterMount && list.isSuccess
  const isEmpty = chats?.length === 0
  const { mutate: makeFirst } = createFirst
  useEffect(() => {
    // Only on opening: a channel whose last chat has just been deleted stays without one.
    if (!isListed || isOpened.current) return
    isOpened.current = true
    if (isEmpty) makeFirst({ failed: texts.chat.createFirstFailed })
  }, [isListed, isEmpty, makeFirst])

  /** The chat of the address is not there, or not any more: another one is shown in its place. */
  async function giveUp(chatId: string, wasShown: boolean): Promise<void> {
    // With the channel, or the right to it, all of its chats are gone: its screen says so.
    const loss = await client.fetchQuery({ ...channelQuery(channelId), staleTime: 0 }).catch((error) => error)
    if (isNotFound(loss)) return
    dropChat(client, channelId, chatId)
    if (wasShown) toast.info(texts.chat.goneElsewhere)
    else toast.error(texts.chat.loadMessagesFailed)
    select(chats?.find(({ _id }) => _id !== chatId)?._id ?? null, true)
  }

  return {
    list,
    chats,
    currentId,
    isSettling: list.isPending || createFirst.isPending,
    isCreating: create.isPending,
    /** The chat that was begun last, whose field is what comes next. */
    createdId: create.data?._id ?? null,
    isRemoving: remove.isPending,
    /** Another chat is loaded anew, whatever was kept of an earlier look at it. */
    forget: (chatId: string): void => {
      if (chatId !== currentId) client.removeQueries({ queryKey: threadKey(channelId, chatId) })
    },
    create: (): void => create.mutate({ ...texts.chat.create }),
    /** False when the server refused. */
    remove: (chatId: string): Promise<boolean> =>
      remove.mutateAsync(chatId).then(
        () => true,
        () => false,
      ),
    rename: (renaming: Parameters<typeof rename.mutate>[0]): void => rename.mutate(renaming),
    /** Opens the chat before or behind the one that is shown. */
    step: (by: 1 | -1): void => {
      const place = chats?.findIndex(({ _id }) => _id === currentId) ?? -1
      const next = chats?.[place + by]
      if (place !== -1 && next !== undefined) select(next._id, false)
    },
    giveUp,
  }
}

export type ChatSelection = ReturnType<typeof useChatSelection>
