import { settleTail } from './settle-tail.ts'
import { containsMaths } from './spans.ts'
import { blockStarts, cutAt, splitBlocks } from './split-blocks.ts'
import { longestMessage, visibleText } from './visible-text.ts'

export interface ReplyBlocks {
  /** The pieces of the reply, so many together: a list whose pieces are as they were is the same list. */
  groups: readonly (readonly string[])[]
  hasMaths: boolean
  isCut: boolean
}

const groupSize = 8
// No formula reaches further back than this: pieces before it stay as they are, whatever follows.
const reach = 8_000
/** What only the next character decides: half of a line end, or of a character. */
const halfAtEnd = /[\r\uD800-\uDBFF]$/

/** A piece of a text keeps all of that text in memory, as long as it was then; a piece put together anew does not. */
function detached(piece: string): string {
  return ` ${piece}`.slice(1)
}

/**
 * Reads the pieces of a reply. While it grows only its end is read again, so that the thousandth piece costs no more
 * than the first.
 */
export class GrowingReply {
  #message = ''
  #visible = ''
  #settled: string[] = []
  /** Where in the visible text the first piece begins that may still change. */
  #settledTo = 0
  #hasMaths = false
  #groups: readonly (readonly string[])[] = []

  read(message: string, streaming: boolean): ReplyBlocks {
    if (!streaming) {
      const { text, isCut } = visibleText(message)
      return this.#grouped(splitBlocks(text, false), containsMaths(text), isCut)
    }
    if (!message.startsWith(this.#message)) this.#forget()
    const known = message.slice(0, longestMessage).replace(halfAtEnd, '')
    this.#visible += visibleText(known.slice(this.#message.length)).text
    this.#message = known
    const tail = this.#visible.slice(this.#settledTo)
    this.#hasMaths ||= containsMaths(tail)
    const starts = blockStarts(tail, true)
    const growing = cutAt(tail, starts, true).map(detached)
    const last = growing.pop()
    const end = last === undefined ? '' : settleTail(last)
    const blocks = [...this.#settled, ...growing, ...(end === '' ? [] : [end])]
    this.#settle(tail, starts)
    return this.#grouped(blocks, this.#hasMaths, message.length > longestMessage)
  }

  #forget(): void {
    this.#message = ''
    this.#visible = ''
    this.#settled = []
    this.#settledTo = 0
    this.#hasMaths = false
  }

  #settle(tail: string, starts: readonly number[]): void {
    const upTo = starts.findLast((start) => start <= tail.length - reach) ?? 0
    const finished = starts.filter((start) => start < upTo)
    this.#settled.push(...cutAt(tail.slice(0, upTo), finished, false).map(detached))
    this.#settledTo += upTo
  }

  #grouped(blocks: readonly string[], hasMaths: boolean, isCut: boolean): ReplyBlocks {
    const groups: (readonly string[])[] = []
    for (let from = 0; from < blocks.length; from += groupSize) {
      const group = blocks.slice(from, from + groupSize)
      const before = this.#groups[groups.length]
      const isSame = before?.length === group.length && group.every((block, at) => block === before[at])
      groups.push(isSame ? before : group)
    }
    this.#groups = groups
    return { groups, hasMaths, isCut }
  }
}
