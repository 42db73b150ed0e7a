import { documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { estimateTokens } from '#providers/assistant/estimate-tokens.ts'
import { createAdmin, createTestChannel, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { type FoundPassage, findPassages } from '../documents/retrieval/retrieval.ts'
import { selectSources } from './select-sources.ts'

let app: TestApp
let admin: TestUser
let channelId: string
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps)
})
afterEach(() => app.close())

async function uploadApproved(name: string, content: string): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId },
    file: { name, content },
  })
  await app.call(documentsApi.approve, { as: admin, params: { id: body._id } })
  await app.runJobs()
  return body._id
}

function find(question: string): Promise<FoundPassage[]> {
  return findPassages(app.deps, { channelId, question, limit: 10 })
}

/** About two passages of text. */
function createFiller(subject: string): string {
  return Array.from({ length: 45 }, (_, n) => `Row ${n} of the ${subject} is about something else.`).join(' ')
}

const manual = [
  '# Boats',
  createFiller('boats'),
  'A lantern costs forty euros.',
  createFiller('boats'),
  '# Cars',
  createFiller('cars'),
].join('\n\n')

describe('selectSources', () => {
  it('selects nothing if no passage matches', async () => {
    await uploadApproved('manual.txt', manual)
    expect(await selectSources(app.deps, channelId, [])).toEqual([])
    const unmatched = (await find('lantern')).map((found) => ({ ...found, coverage: 0.05, similarity: 0.1 }))
    expect(unmatched).not.toEqual([])
    expect(await selectSources(app.deps, channelId, unmatched)).toEqual([])
  })

  it('adds no neighbors from another channel or a document that was deleted', async () => {
    const id = await uploadApproved('manual.txt', manual)
    const found = await find('lantern')
    expect(found).toHaveLength(1)
    expect(await selectSources(app.deps, await createTestChannel(app.deps), found)).toEqual(found)
    await app.call(documentsApi.remove, { as: admin, params: { id } })
    expect(await selectSources(app.deps, channelId, found)).toEqual(found)
  })

  it('adds the passages before and after one that was found, in the same section and in reading order', async () => {
    await uploadApproved('manual.txt', manual)
    const [found] = await find('What does a lantern cost?')
    const sources = await selectSources(app.deps, channelId, found ? [found] : [])
    expect(sources.map(({ ordinal }) => ordinal)).toEqual([-1, 0, 1].map((at) => (found?.ordinal ?? 0) + at))
    expect(sources.map(({ headingPath }) => headingPath)).toEqual([['Boats'], ['Boats'], ['Boats']])
    expect(sources[1]?.text).toContain('forty euros')

    const [last] = (await find('Row 44 of the boats')).filter(({ headingPath }) => headingPath[0] === 'Boats')
    const end = await selectSources(app.deps, channelId, last ? [{ ...last, coverage: 1 }] : [])
    expect(end.every(({ headingPath }) => headingPath[0] === 'Boats')).toBe(true)
  })

  it('takes a passage once, and stays within the budget', async () => {
    await uploadApproved('long.txt', ['# Boats', ...Array(12).fill(createFiller('boats'))].join('\n\n'))
    const found = (await find('Which row of the boats?')).map((passage) => ({ ...passage, coverage: 1 }))
    expect(found).toHaveLength(10)
    const sources = await selectSources(app.deps, channelId, found)
    const ids = sources.map(({ passageId }) => passageId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(found.slice(0, 8).map(({ passageId }) => passageId)))
    expect(ids.length).toBeGreaterThan(8)
    expect(sources.reduce((sum, { text }) => sum + estimateTokens(text), 0)).toBeLessThanOrEqual(5000)
  })
})
