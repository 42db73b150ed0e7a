import { estimateTokens } from './estimate.ts'
import type { Turn } from './port.ts'

export interface HistoryTurn {
  role: 'user' | 'assistant'
  content: string
}

/** Limit for the history in a request, in estimated tokens. */
const historyTokens = 3000

/** Returns the newest turns that fit, starting with one of the user. */
export function recentTurns(history: readonly HistoryTurn[]): HistoryTurn[] {
  let spent = 0
  let from = history.length
  for (const { content } of history.toReversed()) {
    spent += estimateTokens(content)
    if (spent > historyTokens) break
    from -= 1
  }
  while (from < history.length && history[from]?.role !== 'user') from += 1
  return history.slice(from)
}

/**
 * Asks a model to continue an interrupted reply. It repeats the last words, because otherwise we would have to guess
 * whether a space follows and whether the last word was complete.
 */
const goOn =
  'Your last reply broke off before its end. Write the rest of it: repeat its last three or four words exactly as they stand there, ' +
  'and go on directly behind them. Do not begin anew, do not say that you go on, and add nothing before it. All rules above still hold.'

/** How many characters of an interrupted reply the model sees. */
const writtenShown = 12_000

/** Returns the end of a reply for the model that continues it. */
export function endShown(written: string): string {
  return written.slice(-writtenShown).toWellFormed()
}

export function continueTurns(written: string | null | undefined): Turn[] {
  return written
    ? [
        { role: 'assistant', content: endShown(written) },
        { role: 'user', content: goOn },
      ]
    : []
}

/** Builds the turns of a request without documents: instructions, history and question. */
export function plainTurns({
  instructions,
  history,
  question,
  written,
}: {
  instructions: string
  /** Oldest first. */
  history: readonly HistoryTurn[]
  question: string
  /** The beginning of an interrupted reply that the model should continue. */
  written?: string | null
}): Turn[] {
  return [
    ...(instructions.trim() === '' ? [] : [{ role: 'system' as const, content: instructions.trim() }]),
    ...recentTurns(history),
    { role: 'user', content: question },
    ...continueTurns(written),
  ]
}
