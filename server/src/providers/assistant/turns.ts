import { estimateTokens } from './estimate-tokens.ts'
import type { Turn, TurnPicture } from './port.ts'

/** The pictures of a message: those that the model receives, and the names of those that it does not. */
export interface TurnPictures {
  sent: readonly TurnPicture[]
  omitted: readonly string[]
}

export interface HistoryTurn {
  role: 'user' | 'assistant'
  content: string
  pictures?: TurnPictures
}

/** Limit for the history in a request, in estimated tokens. */
const historyTokens = 3000

/** Returns the newest turns that fit, starting with a user turn. */
export function selectRecentTurns(history: readonly HistoryTurn[]): HistoryTurn[] {
  let tokens = 0
  let from = history.length
  for (const { content } of history.toReversed()) {
    tokens += estimateTokens(content)
    if (tokens > historyTokens) break
    from -= 1
  }
  while (from < history.length && history[from]?.role !== 'user') from += 1
  return history.slice(from)
}

/**
 * Asks a model to continue an interrupted reply. It repeats the last words, because otherwise we would have to guess
 * whether a space follows and whether the last word was complete.
 */
const continueInstruction =
  'Your last reply broke off before its end. Write the rest of it: repeat its last three or four words exactly as they stand there, ' +
  'and go on directly behind them. Do not begin anew, do not say that you go on, and add nothing before it. All rules above still hold.'

/** How many characters of an interrupted reply the model sees. */
const maxShownLength = 12_000

/** Returns the end of a reply for the model that continues it. */
export function getReplyEnd(partialReply: string): string {
  return partialReply.slice(-maxShownLength).toWellFormed()
}

export function createContinuationTurns(partialReply: string | null | undefined): Turn[] {
  return partialReply
    ? [
        { role: 'assistant', content: getReplyEnd(partialReply) },
        { role: 'user', content: continueInstruction },
      ]
    : []
}

/** Builds the turns of a request without documents: instructions, history and question. */
export function createPlainTurns({
  instructions,
  history,
  question,
  partialReply,
}: {
  instructions: string
  /** Oldest first. */
  history: readonly HistoryTurn[]
  question: string
  /** The beginning of an interrupted reply that the model should continue. */
  partialReply?: string | null
}): Turn[] {
  return [
    ...(instructions.trim() === '' ? [] : [{ role: 'system' as const, content: instructions.trim() }]),
    ...selectRecentTurns(history).map(({ role, content }) => ({ role, content })),
    { role: 'user', content: question },
    ...createContinuationTurns(partialReply),
  ]
}
