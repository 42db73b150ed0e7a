import type { VerdictCounts } from '../analytics/count-usage.ts'
import type { Verdict } from './check-prompt.ts'
import type { CitationCheck } from './citation-check.ts'
import type { CheckedPart, CheckedPiece } from './citations.ts'

interface HeldPiece {
  piece: CheckedPiece
  /** Null until it is known; pieces without a claim need none. */
  verdict: Verdict | 'none' | null
  /** Resolves once the verdict is known. Never rejects. */
  decided: Promise<void>
}

type Read = { pieces: readonly CheckedPiece[] } | { error: unknown } | 'end'

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
  let reading: Promise<Read> | null = null
  let ending: Exclude<Read, { pieces: unknown }> | null = null

  function readNext(): Promise<Read> {
    return iterator.next().then(
      (step) => (step.done ? 'end' : { pieces: step.value }),
      (error: unknown) => ({ error }),
    )
  }

  function hold(piece: CheckedPiece): void {
    const one: HeldPiece = { piece, verdict: 'none', decided: Promise.resolve() }
    if (check && piece.claim) {
      one.verdict = null
      one.decided = check(piece.claim).then((verdict) => {
        one.verdict = verdict
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
      const steps = [...(reading ? [reading] : []), ...(held[0] ? [held[0].decided] : [])]
      const read: Read | undefined = (await Promise.race<Read | void>(steps)) ?? undefined
      // Nothing may be shown of a reply that was ended: its checks were ended too.
      signal.throwIfAborted()
      if (read !== undefined) reading = null
      if (read !== undefined && typeof read === 'object' && 'pieces' in read) read.pieces.forEach(hold)
      else if (read !== undefined) ending = read
      yield releaseDecided()
    }
  } finally {
    await iterator.return?.()
  }
  if (ending !== 'end') throw ending.error
}
