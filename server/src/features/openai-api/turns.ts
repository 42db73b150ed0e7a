import { messageMaxLength } from '@lyceum/contract/chats'
import * as z from 'zod'
import { AppError } from '../../errors.ts'
import type { Conversation } from '../programs/ask.ts'

/** Turns before the question that are used. */
const historyLength = 40

const textPart = z.object({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() })
/** Says in words that only text can be sent. */
const content = z.union([z.string(), z.array(textPart)], { error: 'Only text is supported' })

export const turn = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant'], {
    error: 'The role must be system, developer, user or assistant',
  }),
  content: z.nullish(content),
})
export type CallerTurn = z.output<typeof turn>

function joinText(value: CallerTurn['content']): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : value.map(({ text }) => text).join('')
}

function refuse(field: string, message: string): AppError {
  return new AppError('validation.failed', { fields: { [field]: message } })
}

/**
 * Takes the last turn as the question and those before it as history. Instructions are left out: the instructions of
 * the channel apply. `field` is named in refusals.
 */
export function readConversation(turns: readonly CallerTurn[], field: string): Conversation {
  const spoken = turns.flatMap(({ role, content: value }) =>
    role === 'user' || role === 'assistant' ? [{ role, content: joinText(value) }] : [],
  )
  const last = spoken.pop()
  if (last?.role !== 'user') throw refuse(field, 'The last message must be one of the user')
  if (last.content.trim() === '') throw refuse(field, 'The last message must not be blank')
  if (last.content.length > messageMaxLength)
    throw refuse(field, `The last message can have at most ${messageMaxLength} characters`)
  return {
    question: last.content,
    history: spoken.filter(({ content: text }) => text.trim() !== '').slice(-historyLength),
  }
}
