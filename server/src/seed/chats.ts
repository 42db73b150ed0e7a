import { uuidv7 } from 'uuidv7'
import type { Actor } from '../actor.ts'
import type { Deps } from '../deps.ts'
import { countReply, countRequest } from '../features/analytics/count.ts'
import { createChat, renameOwnChat } from '../features/chats/chats.ts'
import { insertMessage } from '../features/chats/messages/message-store.ts'
import { toPreview } from '../features/chats/messages/preview.ts'
import { sendMessage } from '../features/chats/messages/send-message.ts'
import { insertUsage } from '../features/chats/replies/reply-store.ts'
import { advanceChat } from '../features/chats/store.ts'
import type { ChannelName } from './channels.ts'
import type { SeedClock } from './clock.ts'
import { type Asked, asked, type Conversation, conversations, type Turn } from './conversations.ts'
import { practice } from './mental-arithmetic.ts'
import type { People } from './people.ts'

type Transaction = Parameters<Parameters<ReturnType<Deps['db']['transaction']>['execute']>[0]>[0]

interface Place {
  person: Actor
  channelId: string
  chatId: string
}

/** The model recorded for written-out replies. Their cost is left empty, as for a model with an unknown price. */
const model = 'gpt-4o'

const errorOf: Partial<Record<NonNullable<Turn['state']>, string>> = {
  interrupted: 'chat.interrupted',
  failed: 'assistant.unavailable',
}

async function addReply(
  tx: Transaction,
  { person, channelId, chatId }: Place,
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
    error: errorOf[state] ?? null,
    last_event: 1,
    created_at: now,
  })
  const tokens = { input: 400, output: Math.ceil(reply.length / 4) }
  await countReply(tx, {
    userId: person.userId,
    channelId,
    askedAt: now,
    model,
    calls: [{ model, ...tokens }],
    ending: { state, mode: 'model', firstWord: 900, citedDocuments: [] },
  })
  await insertUsage(tx, [
    {
      id: uuidv7(),
      message_id: id,
      user_id: person.userId,
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
  place: Place,
  parentId: string | null,
  turn: Turn,
  now: number,
): Promise<string> {
  const question = await insertMessage(tx, {
    id: uuidv7(),
    chat_id: place.chatId,
    parent_id: parentId,
    role: 'user',
    content: turn.question,
    created_at: now,
  })
  const asked = { userId: place.person.userId, channelId: place.channelId, now }
  await countRequest(tx, { ...asked, isNewMessage: true })
  if (turn.earlier !== undefined) {
    await addReply(tx, place, question.id, { reply: turn.earlier }, now)
    await countRequest(tx, { ...asked, isNewMessage: false })
  }
  const replyId = await addReply(tx, place, question.id, turn, now)
  const said = turn.reply === '' ? turn.question : turn.reply
  await advanceChat(tx, place.chatId, {
    leafId: replyId,
    added: turn.earlier === undefined ? 2 : 3,
    last: { role: turn.reply === '' ? 'user' : 'assistant', preview: toPreview(said), at: now },
    now,
  })
  return replyId
}

async function addConversation(
  deps: Deps,
  clock: SeedClock,
  people: People,
  channels: Record<ChannelName, string>,
  { channel, person: name, title, turns }: Conversation,
): Promise<void> {
  const person = people.members[name]
  const channelId = channels[channel]
  const { _id: chatId } = await createChat(deps, person, channelId)
  if (title !== null) await renameOwnChat(deps, person, { channelId, chatId }, title)
  await deps.db.transaction().execute(async (tx) => {
    let parentId: string | null = null
    for (const turn of turns) {
      clock.pass({ minutes: 3 })
      parentId = await addTurn(tx, { person, channelId, chatId }, parentId, turn, deps.now())
    }
  })
}

async function ask(
  deps: Deps,
  clock: SeedClock,
  people: People,
  channels: Record<ChannelName, string>,
  { channel, person: name, questions }: Asked,
): Promise<void> {
  const actor = people.members[name]
  const channelId = channels[channel]
  const { _id: chatId } = await createChat(deps, actor, channelId)
  for (const question of questions) {
    clock.pass({ minutes: 4 })
    const events = await sendMessage(
      deps,
      { actor, address: { channelId, chatId }, idempotencyKey: null },
      question,
    )
    const read = await Array.fromAsync(events)
    if (read.at(-1)?.type !== 'done') throw new Error(`no reply to “${question}”`)
  }
}

/** Adds short chats and a long one that show what replies can contain and how they can end. */
export async function addChats(
  deps: Deps,
  clock: SeedClock,
  people: People,
  channels: Record<ChannelName, string>,
): Promise<void> {
  const long: Conversation = {
    channel: 'desk',
    person: 'yuki',
    title: 'Practice for the entrance test',
    turns: practice(100),
  }
  for (const conversation of [...conversations, long]) {
    clock.pass({ days: 2 })
    await addConversation(deps, clock, people, channels, conversation)
  }
  for (const questions of asked) {
    clock.pass({ days: 2 })
    await ask(deps, clock, people, channels, questions)
  }
}
