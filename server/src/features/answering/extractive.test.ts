import { describe, expect, it } from 'vitest'
import type { FoundPassage } from '../documents/retrieval/retrieval.ts'
import { createExtractiveReply, type ExtractiveInput } from './extractive.ts'
import { refusals } from './strict.ts'

let passageCount = 0
function createPassage(text: string, changes: Partial<FoundPassage> = {}): FoundPassage {
  passageCount += 1
  return {
    passageId: `p${passageCount}`,
    documentId: `d${passageCount}`,
    versionId: `v${passageCount}`,
    version: 1,
    title: `Document ${passageCount}`,
    fileType: 'txt',
    page: null,
    pageBreaks: [],
    headingPath: [],
    charStart: 100,
    charEnd: 100 + text.length,
    text,
    tokens: 20,
    ordinal: 0,
    generation: 'g',
    score: 1,
    lexical: 1,
    similarity: null,
    coverage: 0.8,
    match: 0.8,
    wordsRank: 1,
    meaningRank: null,
    ...changes,
  }
}

const norway = 'This chapter is short. Travel in Norway is paid with 62 euros a day. The sea is near.'
function createReply(changes: Partial<ExtractiveInput> = {}) {
  const { mode, parts } = createExtractiveReply({
    question: 'What is paid for travel in Norway?',
    context: undefined,
    passages: [createPassage(norway)],
    hasDocuments: true,
    hasFiles: false,
    isStrict: false,
    minMatch: null,
    ...changes,
  })
  return {
    mode,
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    citations: parts.flatMap((part) => (part.type === 'citation' ? [part.citation] : [])),
  }
}

describe('createExtractiveReply', () => {
  it('quotes the closest sentence word for word with its location', () => {
    const { mode, text, citations } = createReply()
    expect(mode).toBe('extractive')
    expect(text).toMatch(/^These are the closest passages in this channel’s documents:\n/)
    expect(text).toContain('> Travel in Norway is paid with 62 euros a day. [1]')
    expect(text).not.toContain('chapter')
    const [citation] = citations
    expect(citation?.quote).toBe('Travel in Norway is paid with 62 euros a day.')
    expect(norway.slice((citation?.charStart ?? 0) - 100, (citation?.charEnd ?? 0) - 100)).toBe(
      citation?.quote,
    )
  })

  it('shows at most three distinct passages', () => {
    const passages = [
      createPassage(norway, { documentId: 'd', charStart: 0, charEnd: 80 }),
      createPassage(`${norway} It rains.`, { documentId: 'd', charStart: 60, charEnd: 150 }),
      createPassage(norway),
      createPassage('Travel in Norway by train is paid.'),
      createPassage('Norway: travel requests go to Anna.'),
      createPassage('What is paid for travel in Norway is paid monthly.'),
    ]
    expect(createReply({ passages }).citations.map(({ n, quote }) => [n, quote])).toEqual([
      [1, 'Travel in Norway is paid with 62 euros a day.'],
      [2, 'Travel in Norway by train is paid.'],
      [3, 'Norway: travel requests go to Anna.'],
    ])
  })

  it('says in a strict channel that the passages may not answer the question', () => {
    expect(createReply({ isStrict: true }).text).toMatch(
      /These passages may not fully answer your question\.$/,
    )
    expect(createReply().text).not.toContain('may not fully answer')
  })

  it.each([
    ['nothing was found', { passages: [] }],
    ['the closest passage is not relevant', { passages: [createPassage(norway, { match: 0.22 })] }],
    ['no content word matches', { question: 'How do whales sing?' }],
    ['only the earlier question matches', { question: 'How do whales sing?', context: 'Travel in Norway?' }],
  ])('refuses when %s', (_, changes) => {
    for (const isStrict of [false, true]) {
      const { mode, citations, text } = createReply({ ...changes, isStrict })
      expect([mode, citations, text]).toEqual(['refusal', [], refusals.notFound])
    }
  })

  it('names the files of the chat when they do not answer either', () => {
    const changes = { passages: [], hasFiles: true }
    expect(createReply(changes).text).toBe(refusals.notInFilesOrDocuments)
    expect(createReply({ ...changes, hasDocuments: false }).text).toBe(refusals.notInFiles)
  })

  it('refuses when there are no documents', () => {
    expect(createReply({ hasDocuments: false }).mode).toBe('refusal')
    expect(createReply({ hasDocuments: false, isStrict: true }).text).toBe(refusals.noDocuments)
  })

  it('uses the words of the earlier question when the current one has no content words', () => {
    expect(createReply({ question: 'And why is that?', context: 'Travel in Norway?' }).mode).toBe(
      'extractive',
    )
  })

  it('escapes markup in documents', () => {
    const text = 'Travel in Norway costs $62 *or* $70, see [2] and <b>note</b>.\n# Norway travel'
    const shown = createReply({ passages: [createPassage(text)] })
    expect(shown.citations[0]?.quote).toContain('costs $62 *or* $70, see [2] and <b>note</b>.')
    expect(shown.text).toContain('costs \\$62 \\*or\\* \\$70, see \\[2\\] and \\<b>note\\</b>.')
  })
})
