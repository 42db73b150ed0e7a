import { type ApiKeyInput, apiKeysApi } from '@lyceum/contract/api-keys'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const channel = 'channel:staff'
const minute = 60_000

/** What the answer to each question is in, by document. */
const documents: Record<string, readonly { fact: string; question: string }[]> = {
  leave: [
    { fact: 'Every employee has twenty-five days of paid leave.', question: 'How many days of paid leave?' },
    { fact: 'Unused leave lapses at the end of March.', question: 'When does unused leave lapse?' },
    { fact: 'Sabbaticals need the consent of the director.', question: 'Who consents to sabbaticals?' },
    { fact: 'Parental leave lasts sixteen weeks.', question: 'How long does parental leave last?' },
  ],
  travel: [
    { fact: 'Trains are booked in second class.', question: 'In which class are trains booked?' },
    { fact: 'A hotel room may cost 140 euros.', question: 'How much may a hotel room cost?' },
    { fact: 'Receipts are handed in within ten days.', question: 'When are receipts handed in?' },
    { fact: 'Bicycle journeys earn thirty cents a kilometre.', question: 'What do bicycle journeys earn?' },
  ],
  building: [
    { fact: 'The front door opens at seven.', question: 'When does the front door open?' },
    { fact: 'Visitors register at the reception desk.', question: 'Where do visitors register?' },
    { fact: 'Fire drills take place every October.', question: 'When do fire drills take place?' },
    { fact: 'Lost keys cost fifteen euros.', question: 'What do lost keys cost?' },
  ],
}
const questions = Object.values(documents).flatMap((facts) => facts.map(({ question }) => question))

function createText(name: string): string {
  const facts = documents[name] ?? []
  return [`Rules about ${name}`, ...facts.map(({ fact }) => fact)].join('\n\n')
}

let model: ModelStandIn
let app: TestApp
beforeAll(async () => {
  model = await startModelStandIn()
})
afterEach(() => app.close())
afterAll(() => model.close())

async function addDocuments(admin: TestUser, channelId: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const name of Object.keys(documents)) {
    const file = { name: `${name}.txt`, content: createText(name) }
    const { body } = await app.upload(documentsApi.upload, { as: admin, fields: { channelId }, file })
    await app.call(documentsApi.approve, { as: admin, params: { id: body._id } })
    texts.set(body._id, file.content)
  }
  await app.runJobs()
  return texts
}

/** The reply on the screen, with its citations in the shape in which programs get them. */
async function askOnScreen(as: TestUser, channelId: string, question: string) {
  const { body: chat } = await app.call(chatsApi.create, { as, params: { channelId }, body: {} })
  const params = { channelId, chatId: chat._id }
  await app.call(chatsApi.send, { as, params, body: { message: question } })
  const { body } = await app.call(chatsApi.get, { as, params, query: {} })
  const reply = body.messages.at(-1)
  return {
    text: reply?.content,
    citations: (reply?.citations ?? []).map(
      ({ n, documentId, version = 1, page, quote, title, headingPath }) => ({
        ...{ n, document_id: documentId, version, title, page, quote },
        heading: headingPath.length === 0 ? null : headingPath.join(' › '),
      }),
    ),
  }
}

/** Every way in names a chat of its own in its links. */
function withoutLinks(citations: readonly { url: string }[]) {
  return citations.map(({ url: _, ...citation }) => citation)
}

type WithCitations = { citations: { url: string }[] }

async function collectStream(openai: OpenAI, question: string) {
  const messages = [{ role: 'user' as const, content: question }]
  let text = ''
  let citations: { url: string }[] = []
  for await (const chunk of await openai.chat.completions.create({
    model: channel,
    messages,
    stream: true,
  })) {
    text += chunk.choices[0]?.delta.content ?? ''
    citations = (chunk as unknown as Partial<WithCitations>).citations ?? citations
  }
  return { text, citations: withoutLinks(citations) }
}

/** What each way in of a program answers. */
async function askAsProgram(openai: OpenAI, mcp: Client, question: string) {
  const messages = [{ role: 'user' as const, content: question }]
  const completion = await openai.chat.completions.create({ model: channel, messages })
  const response = await openai.responses.create({ model: channel, input: question })
  const { structuredContent } = await mcp.callTool({ name: 'answer', arguments: { channel, question } })
  const answer = structuredContent as WithCitations & { text: string }
  return {
    completion: {
      text: completion.choices[0]?.message.content,
      citations: withoutLinks((completion as unknown as WithCitations).citations),
    },
    stream: await collectStream(openai, question),
    response: {
      text: response.output_text,
      citations: withoutLinks((response as unknown as WithCitations).citations),
    },
    answer: { text: answer.text, citations: withoutLinks(answer.citations) },
  }
}

describe.each([
  ['a model', true],
  ['no model', false],
])('with %s', (_, hasModel) => {
  it('programs get the text and the citations of the screen, and each quote is in its document', async () => {
    app = await buildTestApp(
      hasModel ? { env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-model' } } : {},
    )
    const admin = await createAdmin(app.deps)
    const channelId = await createTestChannel(app.deps, { name: 'Staff' })
    const texts = await addDocuments(admin, channelId)
    const mia = await createUser(app.deps, { channels: [channelId] })
    const input: ApiKeyInput = { name: 'Agent', scopes: ['chat'], channelIds: null, expiresInDays: 30 }
    const { key } = (await app.call(apiKeysApi.create, { as: mia, body: input })).body
    const openai = new OpenAI({ apiKey: key, baseURL: `${await app.url()}/v1`, maxRetries: 0 })
    const mcp = new Client({ name: 'test', version: '1' })
    await mcp.connect(
      new StreamableHTTPClientTransport(new URL(`${await app.url()}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }),
    )
    expect(questions).toHaveLength(12)
    for (const question of questions) {
      // Each question takes five messages of the twenty that are allowed in a minute.
      app.advance(minute)
      const shown = await askOnScreen(mia, channelId, question)
      expect(shown.citations.length, question).toBeGreaterThan(0)
      for (const { document_id: id, quote } of shown.citations) expect(texts.get(id)).toContain(quote)
      const answers = await askAsProgram(openai, mcp, question)
      for (const [way, answer] of Object.entries(answers))
        expect({ way, ...answer }).toEqual({ way, ...shown })
    }
    await mcp.close()
  })
})
