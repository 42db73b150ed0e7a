import type { MessageRow } from './message-store.ts'
import { externalModel, longestAnswer } from './model-calls.ts'

/**
 * Whether a reply broke off in a way that lets a model write on: it wrote this itself, in words, and the conversation
 * is kept by us and not as a thread elsewhere.
 */
export function isContinuable(
  row: Pick<MessageRow, 'role' | 'state' | 'mode' | 'content' | 'requested_model'>,
): boolean {
  return (
    row.role === 'assistant' &&
    (row.state === 'interrupted' || row.state === 'stopped') &&
    row.mode === 'model' &&
    row.requested_model !== null &&
    row.requested_model !== externalModel &&
    row.content.trim() !== '' &&
    row.content.length < longestAnswer
  )
}
