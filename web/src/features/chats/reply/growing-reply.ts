import { completeTail } from './complete-tail.ts'
import { containsMaths } from './spans.ts'
import { findBlockStarts, splitAt, splitBlocks } from './split-blocks.ts'
import { maxMessageLength, toVisibleText } from './visible-text.ts'

export interface ReplyBlocks {
  /** The blocks of the reply in groups. A group whose blocks did not change is the same array. */
  groups: readonly (readonly string[])[]
  hasMaths: boolean
  isTruncated: boolean
}

const groupSize = 8
// No formula is longer than this, so blocks further than this from the end no longer change.
const maxDisplayLength = 8_000
/** A trailing half of a line break or of a surrogate pair, which the next character completes. */
const halfAtEnd = /[\r\uD800-\uDBFF]$/

/** Copies a slice, because a slice keeps the whole string it was taken from in memory. */
function copySlice(piece: string): string {
  return ` ${piece}`.slice(1)
}

/**
 * Splits a growing reply into blocks. Only its end is parsed again, so that the thousandth block costs no more than
 * the first.
 */
export class GrowingReply {
  #message = ''
  #visible = ''
  /** Blocks that no longer change. */
  #settled: string[] = []
  /** Offset of the first block that may still change. */
  #settledTo = 0
  #hasMaths = false
  #groups: readonly (readonly string[])[] = []

  split(message: string, streaming: boolean): ReplyBlocks {
    if (!streaming) {
      const { text, isTruncated } = toVisibleText(message)
      return this.#group(splitBlocks(text, false), containsMaths(text), isTruncated)
    }
    if (!message.startsWith(this.#message)) this.#reset()
    const known = message.slice(0, maxMessageLength).replace(halfAtEnd, '')
    this.#visible += toVisibleText(known.slice(this.#message.length)).text
    this.#message = known
    const tail = this.#visible.slice(this.#settledTo)
    this.#hasMaths ||= containsMaths(tail)
    const starts = findBlockStarts(tail, true)
    const growing = splitAt(tail, starts, true).map(copySlice)
    const last = growing.pop()
    const end = last === undefined ? '' : completeTail(last)
    const blocks = [...this.#settled, ...growing, ...(end === '' ? [] : [end])]
    this.#settle(tail, starts)
    return this.#group(blocks, this.#hasMaths, message.length > maxMessageLength)
  }

  #reset(): void {
    this.#message = ''
    this.#visible = ''
    this.#settled = []
    this.#settledTo = 0
    this.#hasMaths = false
  }

  #settle(tail: string, starts: readonly number[]): void {
    const upTo = starts.findLast((start) => start <= tail.length - maxDisplayLength) ?? 0
    const finished = starts.filter((start) => start < upTo)
    this.#settled.push(...splitAt(tail.slice(0, upTo), finished, false).map(copySlice))
    this.#settledTo += upTo
  }

  #group(blocks: readonly string[], hasMaths: boolean, isTruncated: boolean): ReplyBlocks {
    const groups: (readonly string[])[] = []
    for (let from = 0; from < blocks.length; from += groupSize) {
      const group = blocks.slice(from, from + groupSize)
      const before = this.#groups[groups.length]
      const isSame = before?.length === group.length && group.every((block, at) => block === before[at])
      groups.push(isSame ? before : group)
    }
    this.#groups = groups
    return { groups, hasMaths, isTruncated }
  }
}
