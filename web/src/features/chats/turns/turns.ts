import type { Attachment } from '@lyceum/contract/attachments'
import { type ChatMessage, chatsApi } from '@lyceum/contract/chats'
import type { QueryClient } from '@tanstack/react-query'
import { type ApiError, isNotFound, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { callEvents } from '#api/events.ts'
import { channelQuery } from '#features/channels/queries.ts'
import { readDraft, saveDraft } from '#lib/drafts.ts'
import { randomKey } from '#lib/random-key.ts'
import { deleteUnsent, readUnsent, saveUnsent } from '#lib/unsent-messages.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { editUnsentFiles, unsentFilesQuery } from '../attachments/queries.ts'
import { quotaLeftQuery, refreshChat } from '../queries.ts'
import { createActivities, createTurn, isBusy, type UnsentMessage } from './activity.ts'
import { createBranches } from './branches.ts'
import { createLiveText } from './live-text.ts'
import { runTurn, type TurnContext } from './run-turn.ts'

const { chat: chatTexts } = texts

/** The turns of one user in one channel's chats while its screen is open. */
export function createTurns(queryClient: QueryClient, channelId: string, userId: string) {
  const activities = createActivities()
  let leaveController = new AbortController()
  let lastErrorText = ''

  function showError(error: ApiError, fallback: string = chatTexts.sendFailed): void {
    lastErrorText = messageOf(error, fallback)
    toast.error(lastErrorText)
  }

  function createContext(chatId: string): TurnContext {
    return {
      queryClient,
      activities,
      channelId,
      chatId,
      leaveSignal: leaveController.signal,
      // A deleted chat needs no toast: the screen reports it, or the user deleted it in this tab.
      onFailure: (error) => error.code !== 'not_found' && showError(error),
    }
  }

  /**
   * Leaves out what the screen shows by itself: that the channel was archived or cannot be opened any more, or that a
   * limit is used up.
   */
  async function reportFailure(
    error: ApiError,
    { fallback, refreshed }: { fallback: string; refreshed: Promise<unknown> | undefined },
  ): Promise<void> {
    if (error.code === 'channel.archived') return
    if (error.code.startsWith('quota.')) {
      await refreshed
      if (queryClient.getQueryData(quotaLeftQuery(channelId).queryKey)?.left === 0) return
    }
    if (isNotFound(error)) {
      const query = { ...channelQuery(channelId), staleTime: 0, retry: false }
      const channelError = await queryClient.fetchQuery(query).catch((cause: unknown) => cause)
      if (isNotFound(channelError)) return
    }
    showError(error, fallback)
  }

  /** Removes the draft of a text that is shown as a message, so that it does not appear twice. */
  function clearDraft(chatId: string, text: string): void {
    const chat = { userId, chatId }
    if (readDraft(chat) === text) saveDraft(chat, '')
  }

  function setUnsent(chatId: string, key: string, next: UnsentMessage | null): void {
    const chat = { userId, chatId }
    if (next === null) deleteUnsent(chat, key)
    else if (next.hasFailed) {
      saveUnsent(chat, next)
      clearDraft(chatId, next.text)
    }
    const others = activities.read(chatId).unsent.filter((message) => message.key !== key)
    activities.change(chatId, { unsent: next === null ? others : [...others, next] })
  }

  /** Ends a turn whose request failed and shows the error. */
  function fail(chatId: string, error: ApiError, fallback: string): void {
    const { turn } = activities.read(chatId)
    activities.change(chatId, { turn: null })
    // The shown chat may be outdated: another tab sent a message, or this request was stored after all.
    const isOutdated = error.status === 409 || error.status === 429 || isNotFound(error) || turn?.branch
    const refreshed = isOutdated ? refreshChat(queryClient, channelId, chatId) : undefined
    void reportFailure(error, { fallback, refreshed })
    if (error.code === 'channel.archived' || error.code === 'channel.no_attachments')
      void queryClient.invalidateQueries({ queryKey: channelQuery(channelId).queryKey })
    if (error.code === 'attachment.unknown')
      void queryClient.invalidateQueries({ queryKey: unsentFilesQuery(channelId, chatId).queryKey })
  }

  function forgetSentFiles(chatId: string, ids: readonly string[]): void {
    if (ids.length > 0)
      void editUnsentFiles(queryClient, channelId, chatId, (files) =>
        files.filter(({ _id }) => !ids.includes(_id)),
      )
  }

  async function deliver(chatId: string, message: UnsentMessage): Promise<boolean> {
    if (isBusy(activities.read(chatId))) return false
    toast.dismiss(lastErrorText)
    const turn = createTurn({})
    activities.change(chatId, { turn })
    setUnsent(chatId, message.key, { ...message, hasFailed: false })
    const ids = (message.files ?? []).map(({ _id }) => _id)
    const input = {
      params: { channelId, chatId },
      body: { message: message.text, ...(ids.length > 0 ? { attachmentIds: ids } : {}) },
    }
    const headers = { 'Idempotency-Key': message.key }
    try {
      await runTurn(createContext(chatId), {
        turn,
        after: 0,
        openStream: (signal) => callEvents(chatsApi.send, input, signal, headers),
        onAccepted: () => {
          forgetSentFiles(chatId, ids)
          setUnsent(chatId, message.key, null)
          clearDraft(chatId, message.text)
        },
      })
      return true
    } catch (error) {
      setUnsent(chatId, message.key, { ...message, hasFailed: true })
      fail(chatId, error as ApiError, chatTexts.sendFailed)
      return false
    }
  }

  return {
    activities,

    /** Shows a message at once and sends it. Resolves to false when it could not be sent; it can then be retried. */
    send: (chatId: string, text: string, files?: readonly Attachment[]): Promise<boolean> =>
      deliver(chatId, {
        ...{ key: randomKey(), text, files, timestamp: new Date().toISOString(), hasFailed: false },
      }),

    /** Shows the messages that could not be sent on an earlier visit. */
    restore: (chatId: string): void => {
      const { unsent } = activities.read(chatId)
      const known = new Set(unsent.map(({ key }) => key))
      const failed = readUnsent({ userId, chatId }).filter(({ key }) => !known.has(key))
      if (failed.length === 0) return
      for (const { text } of failed) clearDraft(chatId, text)
      const restored = failed.map((message) => ({ ...message, hasFailed: true }))
      activities.change(chatId, { unsent: [...restored, ...unsent] })
    },

    retry: (chatId: string, key: string): void => {
      const message = activities.read(chatId).unsent.find((unsent) => unsent.key === key)
      if (message !== undefined) void deliver(chatId, message)
    },

    discard: (chatId: string, key: string): void => {
      toast.dismiss(lastErrorText)
      setUnsent(chatId, key, null)
    },

    ...createBranches({ channelId, activities, createContext, fail }),

    /** Follows a running reply after a reload, or one that another tab requested. */
    follow: (chatId: string, reply: ChatMessage): void => {
      if (isBusy(activities.read(chatId))) return
      const after = reply.lastEvent ?? 0
      // The text so far is the result of the events up to that number.
      const live = createLiveText({ text: reply.content, citations: reply.citations ?? [] })
      const turn = createTurn({ phase: 'replying', replyId: reply._id, live })
      activities.change(chatId, { turn })
      void runTurn(createContext(chatId), { turn, after, openStream: null, onAccepted: () => undefined })
    },

    stop: async (chatId: string): Promise<void> => {
      const { turn } = activities.read(chatId)
      if (turn?.phase !== 'replying' || turn.replyId === null || turn.isStopping) return
      activities.changeTurn(chatId, turn.live, { isStopping: true })
      try {
        // The stream reports how the reply ended.
        await call(chatsApi.stop, { params: { channelId, chatId, messageId: turn.replyId } })
      } catch (error) {
        activities.changeTurn(chatId, turn.live, { isStopping: false })
        toast.error(messageOf(error, 'The reply could not be stopped'))
      }
    },

    /** Stops following replies. They continue on the server and are followed again on the next visit. */
    leave: (): void => {
      leaveController.abort()
      leaveController = new AbortController()
      activities.clear()
    },
  }
}

export type Turns = ReturnType<typeof createTurns>
