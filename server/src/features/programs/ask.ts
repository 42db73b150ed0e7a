import type { ChatMessage, ReplyEvent } from '@lyceum/contract/chats'
import type { HistoryTurn } from '#providers/assistant/turns.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { KeyAccess } from '../api-keys/authenticate-key.ts'
import type { ChannelForUser } from '../channels/access.ts'
import { type ChatAddress, requireEndedReply } from '../chats/access.ts'
import { createChat, presentEndedReply, stopOwnReply } from '../chats/chats.ts'
import { askForProgram } from '../chats/messages/send-message.ts'

export interface TokenUsage {
  input: number
  output: number
}

export interface EndedReply {
  reply: ChatMessage
  usage: TokenUsage
  /** Whether the model reached its maximum length. */
  isCut: boolean
}

/** What a program receives: the text as it arrives, and the whole reply at the end. */
export type ReplyPart = { type: 'text'; text: string } | ({ type: 'end' } & EndedReply)

export interface RunningReply {
  address: ChatAddress
  replyId: string
  /** Fails with the error of a reply that was not written to its end. */
  parts: AsyncIterable<ReplyPart>
  recheck: () => Promise<boolean>
}

export interface Conversation {
  question: string
  /** The turns before it, oldest first. */
  history: readonly HistoryTurn[]
}

interface Question extends Conversation {
  channel: ChannelForUser
  /** Aborts when the program has left, which stops the reply. */
  signal: AbortSignal
  /** The id of the reply that the question follows. */
  previousReplyId?: string | undefined
}

async function endReply(
  deps: Deps,
  access: KeyAccess,
  address: ChatAddress,
  event: ReplyEvent,
): Promise<EndedReply> {
  const isCut = event.type === 'error' && event.code === 'assistant.cut'
  const end: ReplyEvent = isCut ? { type: 'done', reply: event.reply, seq: event.seq } : event
  const { reply, usage } = await presentEndedReply(deps, access.actor, address, end)
  return {
    reply,
    usage: { input: usage?.inputTokens ?? 0, output: usage?.outputTokens ?? 0 },
    isCut,
  }
}

async function* readParts(
  deps: Deps,
  access: KeyAccess,
  address: ChatAddress,
  events: AsyncIterable<ReplyEvent>,
): AsyncGenerator<ReplyPart> {
  for await (const event of events) {
    if (event.type === 'delta') yield { type: 'text', text: event.text }
    if (event.type === 'done' || event.type === 'error') {
      if (!(await access.isActive())) throw new AppError('api_key.invalid')
      yield { type: 'end', ...(await endReply(deps, access, address, event)) }
      return
    }
  }
  throw new AppError('chat.interrupted')
}

/** Asks a question in a channel: in a new chat of the key's user, or below an earlier reply. */
export async function ask(
  deps: Deps,
  access: KeyAccess,
  { channel, question, history, signal, previousReplyId }: Question,
): Promise<RunningReply> {
  if (!access.scopes.has('chat')) throw new AppError('api_key.scope')
  const { actor } = access
  const earlier =
    previousReplyId === undefined ? null : await requireEndedReply(deps, actor, channel.id, previousReplyId)
  const chatId = earlier?.chat_id ?? (await createChat(deps, actor, channel.id))._id
  const address = { channelId: channel.id, chatId }
  const request = { actor, address, idempotencyKey: null }
  const events = await askForProgram(deps, request, { question, history, parentId: earlier?.id ?? null })
  const reader = events[Symbol.asyncIterator]()
  const first = await reader.next()
  if (first.done || first.value.type !== 'accepted') throw new Error('a reply began without its first event')
  const replyId = first.value.reply._id
  function stop(): void {
    stopOwnReply(deps, actor, { ...address, messageId: replyId }).catch((error: unknown) =>
      deps.log.warn({ err: error, messageId: replyId }, 'could not stop a reply whose program has left'),
    )
  }
  let hasEnded = false
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return {
    address,
    replyId,
    parts: readParts(deps, access, address, { [Symbol.asyncIterator]: () => reader }),
    async recheck() {
      if (await access.isActive()) return true
      // The end of the reply tells the program why. If it does not come, the stream ends with the next check.
      const isFirst = !hasEnded
      hasEnded = true
      stop()
      return isFirst
    },
  }
}
