import { describe, expect, it } from 'vitest'
import type { Verdict } from './check-prompt.ts'
import type { CheckedPiece } from './citations.ts'
import { confirmPieces } from './confirm-pieces.ts'

/** A sentence with a claim; an unconfirmed one is replaced by a dash. */
function createSentence(text: string): CheckedPiece {
  return {
    claim: { sentence: text, numbers: [1], before: '' },
    release: (isConfirmed) => [{ type: 'text', text: isConfirmed ? text : '-' }],
  }
}

function createText(text: string): CheckedPiece {
  return { claim: null, release: () => [{ type: 'text', text }] }
}

/** Lets a test decide when a sentence gets its verdict, and when the next batch arrives. */
function startAnswer() {
  const pending = new Map<string, (verdict: Verdict) => void>()
  const ending = new AbortController()
  const batches: ((batch: readonly CheckedPiece[] | Error | null) => void)[] = []
  const arrivals: Promise<readonly CheckedPiece[] | Error | null>[] = []
  function arrive(): void {
    const { promise, resolve } = Promise.withResolvers<readonly CheckedPiece[] | Error | null>()
    arrivals.push(promise)
    batches.push(resolve)
  }
  async function* readBatches() {
    for (;;) {
      arrive()
      const batch = await arrivals.at(-1)
      if (batch instanceof Error) throw batch
      if (!batch) return
      yield batch
    }
  }
  const shown: string[] = []
  let counts = { confirmed: 0, unconfirmed: 0, unchecked: 0 }
  async function collect(): Promise<void> {
    function check({ sentence }: { sentence: string }): Promise<Verdict> {
      return new Promise((resolve) => pending.set(sentence, resolve))
    }
    for await (const { parts, verdicts } of confirmPieces(readBatches(), check, ending.signal)) {
      shown.push(...parts.flatMap((part) => (part.type === 'text' ? part.text : [])))
      if (verdicts)
        counts = {
          confirmed: counts.confirmed + verdicts.confirmed,
          unconfirmed: counts.unconfirmed + verdicts.unconfirmed,
          unchecked: counts.unchecked + verdicts.unchecked,
        }
    }
  }
  const ended = collect()
  ended.catch(() => undefined)
  return {
    shown,
    ended,
    getCounts: () => counts,
    /** Sends a batch, an error or the end (null), and waits until it was read. */
    async send(batch: readonly CheckedPiece[] | Error | null) {
      const read = batches.length
      await expect.poll(() => batches.length).toBeGreaterThanOrEqual(read)
      batches.at(-1)?.(batch)
      if (Array.isArray(batch)) await expect.poll(() => batches.length).toBeGreaterThan(read)
    },
    decide: (sentence: string, verdict: Verdict) => pending.get(sentence)?.(verdict),
    isAsked: (sentence: string) => pending.has(sentence),
    stop: () => ending.abort(new Error('stopped')),
  }
}

describe('confirmPieces', () => {
  it('shows nothing that has no verdict, and removes what is not confirmed', async () => {
    const answer = startAnswer()
    await answer.send([createText('Hello. '), createSentence('A'), createText(' and ')])
    await expect.poll(() => answer.shown).toEqual(['Hello. '])
    answer.decide('A', 'unconfirmed')
    await answer.send(null)
    await answer.ended
    expect(answer.shown).toEqual(['Hello. ', '-', ' and '])
    expect(answer.getCounts()).toEqual({ confirmed: 0, unconfirmed: 1, unchecked: 0 })
  })

  it('reads on while a sentence is checked, and keeps the order', async () => {
    const answer = startAnswer()
    await answer.send([createSentence('A')])
    await answer.send([createSentence('B'), createText('c')])
    answer.decide('B', 'confirmed')
    await answer.send([createSentence('D')])
    expect(answer.isAsked('D')).toBe(true)
    expect(answer.shown).toEqual([])
    answer.decide('A', 'confirmed')
    await expect.poll(() => answer.shown).toEqual(['A', 'B', 'c'])
    answer.decide('D', 'unchecked')
    await answer.send(null)
    await answer.ended
    expect(answer.shown).toEqual(['A', 'B', 'c', 'D'])
    expect(answer.getCounts()).toEqual({ confirmed: 2, unconfirmed: 0, unchecked: 1 })
  })

  it('still checks and shows what arrived before the answer broke off', async () => {
    const answer = startAnswer()
    await answer.send([createSentence('A')])
    await answer.send(new Error('cut'))
    answer.decide('A', 'confirmed')
    await expect(answer.ended).rejects.toThrow('cut')
    expect(answer.shown).toEqual(['A'])
  })

  it('shows nothing more once the reply was ended', async () => {
    const answer = startAnswer()
    await answer.send([createSentence('A'), createText('b')])
    answer.stop()
    answer.decide('A', 'unchecked')
    // The model call ends with the reply.
    void answer.send(new Error('aborted'))
    await expect(answer.ended).rejects.toThrow('stopped')
    expect(answer.shown).toEqual([])
  })

  it('shows pieces as they come without a check', async () => {
    async function* readBatches() {
      yield [createSentence('A'), createText('b')]
      yield [createSentence('C')]
    }
    const { signal } = new AbortController()
    const steps = await Array.fromAsync(confirmPieces(readBatches(), null, signal))
    expect(steps.map(({ parts, verdicts }) => [parts.length, verdicts])).toEqual([
      [2, null],
      [1, null],
      [0, null],
    ])
  })
})
