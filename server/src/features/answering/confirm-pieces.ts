import type { VerdictCounts } from '../analytics/count-usage.ts'
import type { Verdict } from './check-prompt.ts'
import type { CitationCheck } from './citation-check.ts'
import type { CheckedPart, CheckedPiece } from './citations.ts'

/** What happens while the pieces of an answer are waited for. */
type Step =
  | { type: 'read'; pieces: readonly CheckedPiece[] }
  | { type: 'end' }
  | { type: 'failed'; error: unknown }
  | { type: 'decided' }

interface HeldPiece {
  piece: CheckedPiece
  /** Null until it is known; pieces without a claim need none. */
  verdict: Verdict | 'none' | null
  /** Resolves once the verdict is known. Never rejects. */
  decided: Promise<Step>
}

export interface ConfirmedParts {
  parts: CheckedPart[]
  /** The verdicts on what was released, in citations; null if there were none. */
  verdicts: VerdictCounts | null
}

/**
 * Releases the pieces of an answer in their order, as soon as the model has confirmed their claims or not. Without a
 * verdict, the check of words alone decides. The answer is read on meanwhile. When it breaks off, what was read is still
 * released, unless the reply was ended. Without a check, pieces are released as they come.
 */
export async function* confirmPieces(
  batches: AsyncIterable<readonly CheckedPiece[]>,
  check: CitationCheck | null,
  signal: AbortSignal,
): AsyncGenerator<ConfirmedParts> {
  const iterator = batches[Symbol.asyncIterator]()
  const held: HeldPiece[] = []
  let reading: Promise<Step> | null = null
  let ending: Step | null = null

  function readNext(): Promise<Step> {
    return iterator.next().then(
      (next): Step => (next.done ? { type: 'end' } : { type: 'read', pieces: next.value }),
      (error: unknown): Step => ({ type: 'failed', error }),
    )
  }

  function hold(piece: CheckedPiece): void {
    const one: HeldPiece = { piece, verdict: 'none', decided: Promise.resolve({ type: 'decided' }) }
    if (check && piece.claim) {
      one.verdict = null
      one.decided = check(piece.claim).then((verdict) => {
        one.verdict = verdict
        return { type: 'decided' }
      })
    }
    held.push(one)
  }

  function releaseDecided(): ConfirmedParts {
    const parts: CheckedPart[] = []
    let verdicts: VerdictCounts | null = null
    for (let [first] = held; first && first.verdict !== null; [first] = held) {
      held.shift()
      const { piece, verdict } = first
      parts.push(...piece.release(verdict !== 'unconfirmed'))
      if (verdict === 'none') continue
      verdicts ??= { confirmed: 0, unconfirmed: 0, unchecked: 0 }
      verdicts[verdict] += piece.claim?.numbers.length ?? 0
    }
    return { parts, verdicts }
  }

  try {
    while (ending === null || held.length > 0) {
      if (ending === null) reading ??= readNext()
      const [first] = held
      const waitedFor = [reading, first?.decided].filter((promise) => promise instanceof Promise)
      const step = await Promise.race(waitedFor)
      // Nothing may be shown of a reply that was ended: its checks were ended too.
      signal.throwIfAborted()
      if (step.type !== 'decided') reading = null
      if (step.type === 'read') step.pieces.forEach(hold)
      if (step.type === 'end' || step.type === 'failed') ending = step
      yield releaseDecided()
    }
  } finally {
    await iterator.return?.()
  }
  if (ending.type === 'failed') throw ending.error
}
