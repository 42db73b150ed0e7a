import type { ReplyEvent } from '@lyceum/contract/chats'
import { sql } from 'kysely'
import { ask, type ClusterChat, type TestCluster } from './cluster-chats.ts'
import type { ReplyStream } from './reply-stream.ts'
import type { SpawnedServer } from './spawn-server.ts'

/** What the model writes. The end of a word must not be the beginning of a secret of the server, which it would hold back. */
export const words = Array.from({ length: 40 }, (_, at) => `${at === 0 ? '' : ' '}word${at}!`)
/** The model pauses before this piece. */
export const pauseAt = 20

export function joinText(events: readonly ReplyEvent[]): string {
  return events.map((event) => (event.type === 'delta' ? event.text : '')).join('')
}

/** Starts a reply, which pauses after some words, and returns a reader on the same server. */
export async function startPausedReply(
  { model }: TestCluster,
  server: SpawnedServer,
  chat: ClusterChat,
  headers: Record<string, string> = {},
): Promise<ReplyStream> {
  model.script({ text: words, delayMs: 20 })
  model.pause(pauseAt)
  return ask(server, chat, headers)
}

/** Lets the reply go on until it has this number of words. */
export function resumeUntil({ model }: TestCluster, count: number): void {
  model.resume()
  model.pause(count)
}

/** Reads on until the reader has the words before the pause. */
export async function readToPause(stream: ReplyStream, count = pauseAt): Promise<void> {
  const text = words.slice(0, count).join('')
  while (joinText(stream.events) !== text)
    if ((await stream.next()) === null)
      throw new Error(`the stream has ended: ${JSON.stringify([stream.refusal, stream.events.at(-1)])}`)
}

export async function readReplyId(stream: ReplyStream): Promise<string> {
  return (await stream.readUntil('accepted'))?.reply._id ?? ''
}

/** How often replies were counted, and how often with the time to the first word, which only the writer knows. */
export async function readReplyCounts({ db }: TestCluster) {
  const waits = Array.from({ length: 12 }, (_, at) => `wait_${at}`).join(' + ')
  const { rows } = await sql<{ replies: number; timed: number }>`
    select sum(replies)::int as replies, sum(${sql.raw(waits)})::int as timed
    from usage_days where channel_id = ''`.execute(db)
  return rows[0]
}
