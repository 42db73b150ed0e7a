import { completeTail } from './complete-tail.ts'
import { limitBlocks, type ReplyBlock, sumFormatted } from './limit-blocks.ts'
import { maxBlockCost } from './parse-limits.ts'
import { containsMaths } from './spans.ts'
import { findBlockStarts, splitAt, splitBlocks } from './split-blocks.ts'
import { maxMessageLength, toVisibleText } from './visible-text.ts'

/** Blocks that are mounted together. */
export type ReplyGroup = readonly ReplyBlock[]

export interface ReplyBlocks {
  /** The blocks of the reply in groups. A group whose blocks did not change is the same array. */
  groups: readonly ReplyGroup[]
  hasMaths: boolean
  isTruncated: boolean
  /** Some blocks are shown without formatting. */
  isLimited: boolean
}

const maxGroupSize = 8
// No formula is longer than this, so blocks further than this from the end no longer change.
const maxDisplayLength = 8_000
/** A trailing half of a line break or of a surrogate pair, which the next character completes. */
const halfAtEnd = /[\r\uD800-\uDBFF]$/

/** Copies a slice, because a slice keeps the whole string it was taken from in memory. */
function copySlice(block: ReplyBlock): ReplyBlock {
  return { ...block, text: ` ${block.text}`.slice(1) }
}

function isSame(one: ReplyBlock, other: ReplyBlock | undefined): boolean {
  return one.text === other?.text && one.isPlain === other.isPlain
}

/**
 * Splits a growing reply into blocks. Only its end is parsed again, so that the thousandth block costs no more than
 * the first.
 */
export class GrowingReply {
  #message = ''
  #visible = ''
  /** Blocks that no longer change. */
  #settled: ReplyBlock[] = []
  /** The cost of the formatted blocks among them. */
  #spent = 0
  /** Offset of the first block that may still change. */
  #settledTo = 0
  #hasMaths = false
  #groups: readonly ReplyGroup[] = []

  /** `isCut`: the reply ended in the middle, so its end is shown as it was while the reply grew. */
  split(message: string, streaming: boolean, isCut = false): ReplyBlocks {
    if (!streaming) {
      const { text, isTruncated } = toVisibleText(message)
      const blocks = limitBlocks(splitBlocks(text, false), 0)
      return this.#group(isCut ? completeLast(blocks) : blocks, containsMaths(text), isTruncated)
    }
    if (!message.startsWith(this.#message)) this.#reset()
    const known = message.slice(0, maxMessageLength).replace(halfAtEnd, '')
    this.#visible += toVisibleText(known.slice(this.#message.length)).text
    this.#message = known
    const tail = this.#visible.slice(this.#settledTo)
    this.#hasMaths ||= containsMaths(tail)
    const starts = findBlockStarts(tail, true)
    const growing = limitBlocks(splitAt(tail, starts, true), this.#spent).map(copySlice)
    const blocks = [...this.#settled, ...completeLast(growing)]
    this.#settle(tail, starts)
    return this.#group(blocks, this.#hasMaths, message.length > maxMessageLength)
  }

  #reset(): void {
    this.#message = ''
    this.#visible = ''
    this.#settled = []
    this.#spent = 0
    this.#settledTo = 0
    this.#hasMaths = false
  }

  #settle(tail: string, starts: readonly number[]): void {
    const upTo = starts.findLast((start) => start <= tail.length - maxDisplayLength) ?? 0
    const finished = starts.filter((start) => start < upTo)
    const settled = limitBlocks(splitAt(tail.slice(0, upTo), finished, false), this.#spent)
    this.#spent += sumFormatted(settled)
    this.#settled.push(...settled.map(copySlice))
    this.#settledTo += upTo
  }

  #group(blocks: readonly ReplyBlock[], hasMaths: boolean, isTruncated: boolean): ReplyBlocks {
    const groups = groupBlocks(blocks).map((group, index) => {
      const before = this.#groups[index]
      return before?.length === group.length && group.every((block, at) => isSame(block, before[at]))
        ? before
        : group
    })
    this.#groups = groups
    return { groups, hasMaths, isTruncated, isLimited: blocks.some(({ isPlain }) => isPlain) }
  }
}

function completeLast(blocks: readonly ReplyBlock[]): ReplyBlock[] {
  const last = blocks.at(-1)
  const end = last && (last.isPlain ? last : { ...last, text: completeTail(last.text) })
  return [...blocks.slice(0, -1), ...(end && end.text !== '' ? [end] : [])]
}

function groupBlocks(blocks: readonly ReplyBlock[]): ReplyGroup[] {
  const groups: ReplyBlock[][] = []
  let cost = 0
  for (const block of blocks) {
    const group = groups.at(-1)
    cost += block.cost
    if (group !== undefined && group.length < maxGroupSize && cost <= maxBlockCost) group.push(block)
    else {
      groups.push([block])
      cost = block.cost
    }
  }
  return groups
}
