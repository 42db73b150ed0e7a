import { estimateTokens } from './estimate.ts'
import type { Turn } from './port.ts'

export interface HistoryTurn {
  role: 'user' | 'assistant'
  content: string
}

/** The size of the conversation in a request, in tokens as we estimate them. */
const historyTokens = 3000

/** The newest turns that fit, beginning with a question. */
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
 * What is asked of a model whose reply broke off. It repeats the last words because a reply that begins anywhere else
 * cannot be joined without guessing: whether a space stood there, and whether the word was whole.
 */
const goOn =
  'Your last reply broke off before its end. Write the rest of it: repeat its last three or four words exactly as they stand there, ' +
  'and go on directly behind them. Do not begin anew, do not say that you go on, and add nothing before it. All rules above still hold.'

/** How much of a reply that is written on a model is shown, in characters. */
const writtenShown = 12_000

/** The end of a reply as it is shown to the model that writes on. */
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

/** A conversation without documents: instructions, what was said before, the question. */
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
  /** The reply as far as it came, when it is to be written on. */
  written?: string | null
}): Turn[] {
  return [
    ...(instructions.trim() === '' ? [] : [{ role: 'system' as const, content: instructions.trim() }]),
    ...recentTurns(history),
    { role: 'user', content: question },
    ...continueTurns(written),
  ]
}
