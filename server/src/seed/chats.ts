import { uuidv7 } from 'uuidv7'
import type { Actor } from '../actor.ts'
import type { Deps } from '../deps.ts'
import { countReplies, countRequest } from '../features/analytics/count-usage.ts'
import { createChat, renameOwnChat } from '../features/chats/chats.ts'
import { insertMessage } from '../features/chats/messages/message-store.ts'
import { toPreview } from '../features/chats/messages/preview.ts'
import { sendMessage } from '../features/chats/messages/send-message.ts'
import { insertUsage } from '../features/chats/replies/reply-store.ts'
import { advanceChat } from '../features/chats/store.ts'
import { setQuestionTitle } from '../features/chats/titles/title-store.ts'
import { toTitle } from '../features/chats/titles/title-text.ts'
import type { ChannelName } from './channels.ts'
import type { SeedClock } from './clock.ts'
import {
  type Conversation,
  conversations,
  type QuestionSet,
  questionSets,
  type Turn,
} from './conversations.ts'
import { createPracticeTurns } from './mental-arithmetic.ts'
import type { SeededUsers } from './users.ts'

type Transaction = Parameters<Parameters<ReturnType<Deps['db']['transaction']>['execute']>[0]>[0]

interface ChatAddress {
  user: Actor
  channelId: string
  chatId: string
}

/** The model recorded for scripted replies. Their cost is left empty, as for a model with an unknown price. */
const model = 'gpt-4o'

const errorCodes: Partial<Record<NonNullable<Turn['state']>, string>> = {
  interrupted: 'chat.interrupted',
  failed: 'assistant.unavailable',
}

async function addReply(
  tx: Transaction,
  { user, channelId, chatId }: ChatAddress,
  parentId: string,
  { reply, state = 'complete' }: Pick<Turn, 'reply' | 'state'>,
  now: number,
): Promise<string> {
  const id = uuidv7()
  await insertMessage(tx, {
    id,
    chat_id: chatId,
    parent_id: parentId,
    role: 'assistant',
    content: reply,
    state,
    mode: 'model',
    requested_model: model,
    actual_model: model,
    error: errorCodes[state] ?? null,
    last_event: 1,
    created_at: now,
  })
  const tokens = { input: 400, output: Math.ceil(reply.length / 4) }
  await countReplies(tx, [
    {
      userId: user.userId,
      channelId,
      askedAt: now,
      model,
      calls: [{ model, ...tokens }],
      ending: { state, mode: 'model', timeToFirstWord: 900, citedDocuments: [] },
    },
  ])
  await insertUsage(tx, [
    {
      id: uuidv7(),
      message_id: id,
      user_id: user.userId,
      channel_id: channelId,
      purpose: 'answer',
      requested_model: model,
      actual_model: model,
      ...tokens,
      cached: 0,
      cache_write: 0,
      reasoning: 0,
      cost: null,
      estimated: 1,
      created_at: now,
    },
  ])
  return id
}

/** Adds a question below the last reply, and its replies. Returns the id of the visible one. */
async function addTurn(
  tx: Transaction,
  address: ChatAddress,
  parentId: string | null,
  turn: Turn,
  now: number,
): Promise<string> {
  const question = await insertMessage(tx, {
    id: uuidv7(),
    chat_id: address.chatId,
    parent_id: parentId,
    role: 'user',
    content: turn.question,
    created_at: now,
  })
  const request = { userId: address.user.userId, channelId: address.channelId, now, isChannelLimited: false }
  await countRequest(tx, { ...request, isNewMessage: true })
  if (turn.earlierReply !== undefined) {
    await addReply(tx, address, question.id, { reply: turn.earlierReply }, now)
    await countRequest(tx, { ...request, isNewMessage: false })
  }
  const replyId = await addReply(tx, address, question.id, turn, now)
  const role = turn.reply === '' ? 'user' : 'assistant'
  const lastText = turn.reply === '' ? turn.question : turn.reply
  await advanceChat(tx, address.chatId, {
    leafId: replyId,
    added: turn.earlierReply === undefined ? 2 : 3,
    last: { role, preview: toPreview(role, lastText), at: now },
    now,
  })
  return replyId
}

async function addConversation(
  deps: Deps,
  clock: SeedClock,
  users: SeededUsers,
  channels: Record<ChannelName, string>,
  { channel, member: name, title, turns }: Conversation,
): Promise<void> {
  const user = users.members[name]
  const channelId = channels[channel]
  const { _id: chatId } = await createChat(deps, user, channelId)
  if (title !== null) await renameOwnChat(deps, user, { channelId, chatId }, title)
  await deps.db.transaction().execute(async (tx) => {
    if (title === null) await setQuestionTitle(tx, chatId, toTitle(turns[0]?.question ?? ''))
    let parentId: string | null = null
    for (const turn of turns) {
      clock.advance({ minutes: 3 })
      parentId = await addTurn(tx, { user, channelId, chatId }, parentId, turn, deps.now())
    }
  })
}

async function askQuestions(
  deps: Deps,
  clock: SeedClock,
  users: SeededUsers,
  channels: Record<ChannelName, string>,
  { channel, member: name, questions }: QuestionSet,
): Promise<void> {
  const actor = users.members[name]
  const channelId = channels[channel]
  const { _id: chatId } = await createChat(deps, actor, channelId)
  for (const question of questions) {
    clock.advance({ minutes: 4 })
    const events = await sendMessage(
      deps,
      { actor, address: { channelId, chatId }, idempotencyKey: null },
      { message: question },
    )
    const received = await Array.fromAsync(events)
    if (received.at(-1)?.type !== 'done') throw new Error(`the question “${question}” got no reply`)
  }
}

/** Adds short chats and a long one that show what replies can contain and how they can end. */
export async function addChats(
  deps: Deps,
  clock: SeedClock,
  users: SeededUsers,
  channels: Record<ChannelName, string>,
): Promise<void> {
  const long: Conversation = {
    channel: 'desk',
    member: 'yuki',
    title: 'Practice for the entrance test',
    turns: createPracticeTurns(100),
  }
  for (const conversation of [...conversations, long]) {
    clock.advance({ days: 2 })
    await addConversation(deps, clock, users, channels, conversation)
  }
  for (const questions of questionSets) {
    clock.advance({ days: 2 })
    await askQuestions(deps, clock, users, channels, questions)
  }
}
