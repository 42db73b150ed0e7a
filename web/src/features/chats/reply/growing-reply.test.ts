import { describe, expect, it } from 'vitest'
import { completeTail } from './complete-tail.ts'
import { GrowingReply } from './growing-reply.ts'
import { sampleReply } from './sample-reply.test-data.ts'
import { splitBlocks } from './split-blocks.ts'
import { toVisibleText } from './visible-text.ts'

function splitGrowing(reply: GrowingReply, text: string): string[] {
  return reply
    .split(text, true)
    .groups.flat()
    .map((block) => block.text)
}

/** The blocks of a text, split without any earlier state. */
function splitFromScratch(message: string): string[] {
  const blocks = splitBlocks(toVisibleText(message).text, true)
  const end = completeTail(blocks.pop() ?? '')
  return end === '' ? blocks : [...blocks, end]
}

describe('GrowingReply', () => {
  it('splits a growing text as if it were split from scratch', () => {
    const fullText = `${sampleReply}\n\n`.repeat(30)
    const reply = new GrowingReply()
    for (let length = 1; length < fullText.length; length += 97) {
      const text = fullText.slice(0, length)
      expect(splitGrowing(reply, text)).toEqual(splitFromScratch(text))
    }
  })

  it('waits for the second half of a line break or a surrogate pair', () => {
    const reply = new GrowingReply()
    expect(splitGrowing(reply, 'One\r')).toEqual(['One'])
    expect(splitGrowing(reply, 'One\r\n\r\nTwo \ud83d')).toEqual(['One', 'Two'])
    expect(splitGrowing(reply, 'One\r\n\r\nTwo \ud83d\ude00')).toEqual(['One', 'Two \ud83d\ude00'])
  })

  it('starts over with another text', () => {
    const reply = new GrowingReply()
    splitGrowing(reply, 'One\n\nTwo')
    expect(splitGrowing(reply, 'Three')).toEqual(['Three'])
  })

  it('keeps the groups that did not change', () => {
    const reply = new GrowingReply()
    const paragraphs = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}`).join('\n\n')
    const [first, second] = reply.split(paragraphs, true).groups
    const later = reply.split(`${paragraphs} grows`, true).groups
    expect([later[0] === first, later[1] === second]).toEqual([true, true])
    expect(reply.split(`${paragraphs} grows`, false).groups[0]).toBe(first)
  })

  it('shows the end of a reply that was cut as while it grew', () => {
    const text = 'One\n\nTwo **thr'
    function split(isCut: boolean) {
      return new GrowingReply()
        .split(text, false, isCut)
        .groups.flat()
        .map((block) => block.text)
    }
    expect(split(true)).toEqual(splitGrowing(new GrowingReply(), text))
    expect(split(false)).toEqual(['One', 'Two **thr'])
  })

  it('reports that a message is too long to be shown in full', () => {
    const reply = new GrowingReply()
    expect(reply.split('word '.repeat(60_000), true).isTruncated).toBe(true)
    expect(reply.split('word', true).isTruncated).toBe(false)
  })
})
