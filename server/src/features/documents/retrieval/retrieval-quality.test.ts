import { readFile } from 'node:fs/promises'
import { documentsApi } from '@lyceum/contract/documents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { findPassages } from './retrieval.ts'

const documents = ['handbook.pdf', 'travel-policy.docx', 'safety.doc', 'menu.txt'] as const
type FileName = (typeof documents)[number]

/**
 * Each question with the document and the text that a search must find. `npm run eval` measures the same on large
 * public texts.
 */
const questions: readonly (readonly [question: string, document: FileName, answer: RegExp])[] = [
  ['How many days of vacation do I have?', 'handbook.pdf', /28/],
  ['Until when can I use vacation that I carry over?', 'handbook.pdf', /31 March/],
  ['How often may I work from home?', 'handbook.pdf', /8 days|eight days/i],
  ['When do I need a sick note?', 'handbook.pdf', /fourth/],
  ['How much leave is there for the birth of a child?', 'handbook.pdf', /child[\s\S]{0,40}10/],
  ['How high is the learning budget?', 'handbook.pdf', /1,200/],
  ['May I accept a gift from a supplier?', 'handbook.pdf', /35 euros/],
  ['Which number do I call about a security incident?', 'handbook.pdf', /4911/],
  ['What is the notice period?', 'handbook.pdf', /notice/i],
  ['What is the daily allowance for Norway?', 'travel-policy.docx', /Norway[\s\S]{0,40}80/],
  ['How much do I get in Japan?', 'travel-policy.docx', /Japan[\s\S]{0,40}66/],
  ['What is paid for a kilometre in my own car?', 'travel-policy.docx', /38 cents/],
  ['How soon must travel expenses be claimed?', 'travel-policy.docx', /30 days/],
  ['Where is the meeting point in a fire?', 'safety.doc', /flagpole/],
  ['Which gloves are needed for epoxy resin?', 'safety.doc', /nitrile/i],
  ['How loud is the stamping shop?', 'safety.doc', /91/],
  ['What is for lunch on Thursday?', 'menu.txt', /risotto/],
  ['What does a main dish cost?', 'menu.txt', /5\.20/],
  ['Who is the cook?', 'menu.txt', /Amadou Keita/],
]

let app: TestApp
let admin: TestUser
let channelId: string
let nameById: Map<string, FileName>

async function upload(into: string, name: string, content: Buffer | string): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId: into },
    file: { name, content },
  })
  return body._id
}

function approve(id: string) {
  return app.call(documentsApi.approve, { as: admin, params: { id } })
}

beforeAll(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps)
  nameById = new Map()
  for (const name of documents) {
    const id = await upload(
      channelId,
      name,
      await readFile(new URL(`../../../testing/documents/${name}`, import.meta.url)),
    )
    await approve(id)
    nameById.set(id, name)
  }
  await app.runJobs()
})
afterAll(() => app.close())

function search(question: string, limit: number) {
  return findPassages(app.deps, { channelId, question, limit })
}

describe('retrieval', () => {
  it('finds the answer among the first three passages in every kind of document', async () => {
    const missed: string[] = []
    for (const [question, document, answer] of questions) {
      const found = await search(question, 3)
      const isFound = found.some(
        ({ documentId, text }) => nameById.get(documentId) === document && answer.test(text),
      )
      if (!isFound) missed.push(question)
    }
    expect(missed).toEqual([])
  })

  it('never finds text from another channel or from pending, rejected or deleted documents', async () => {
    const elsewhere = await createTestChannel(app.deps)
    function createSecret(where: string) {
      return `The badge code of the ${where} vault is marten-${where}.`
    }
    await approve(await upload(elsewhere, 'theirs.txt', createSecret('other')))
    await upload(channelId, 'pending.txt', createSecret('pending'))
    const rejected = await upload(channelId, 'rejected.txt', createSecret('rejected'))
    await app.call(documentsApi.reject, { as: admin, params: { id: rejected } })
    const deleted = await upload(channelId, 'deleted.txt', createSecret('deleted'))
    await approve(deleted)
    await approve(await upload(channelId, 'allowed.txt', createSecret('allowed')))
    await app.runJobs()
    await app.call(documentsApi.remove, { as: admin, params: { id: deleted } })
    const texts = (await search('badge code of the vault, marten', 50)).map(({ text }) => text)
    expect(texts.filter((text) => text.includes('marten'))).toEqual([createSecret('allowed')])
  })
})
