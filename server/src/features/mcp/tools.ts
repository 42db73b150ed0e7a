import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { ask } from '../programs/ask.ts'
import { listModels, requireModel } from '../programs/channel-models.ts'
import { presentCitations } from '../programs/citations.ts'
import { listDocuments, readDocument, searchDocuments } from '../programs/documents.ts'
import type { ProgramCall } from '../programs/program-call.ts'

const channel = z.string().max(200).describe('The id of a channel, from list_channels')
const documentId = z.string().max(64).describe('The id of a document')
const page = z.number().nullable()
const heading = z.string().nullable()

const foundText = z.object({
  document_id: z.string(),
  version: z.number(),
  title: z.string(),
  page,
  heading,
  text: z.string(),
})
const citation = z.object({
  n: z.number(),
  document_id: z.string(),
  version: z.number(),
  title: z.string(),
  page,
  heading,
  quote: z.string(),
  url: z.string(),
})

const readOnly = { readOnlyHint: true, openWorldHint: false } as const

/** Structured for programs, and as text for clients that pass only text to their model. */
function toResult(output: Record<string, unknown>, text = JSON.stringify(output)): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: output }
}

/** Refusals are results, so that a model can read them. Other errors become protocol errors. */
async function refuseInWords(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal') throw error
    return { content: [{ type: 'text', text: error.message }], isError: true }
  }
}

function addDocumentTools(server: McpServer, deps: Deps, { access, signal }: ProgramCall): void {
  server.registerTool(
    'search',
    {
      title: 'Search documents',
      description:
        'Finds the passages of the documents of a channel that are closest to a question, best first. Passages are word for word.',
      inputSchema: z.object({
        channel,
        query: z.string().min(1).max(2000),
        limit: z.number().int().min(1).max(20).default(8),
      }),
      outputSchema: z.object({ passages: z.array(foundText) }),
      annotations: readOnly,
    },
    ({ channel: model, query, limit }) =>
      refuseInWords(async () => {
        const found = await requireModel(deps, access, model)
        return toResult({ passages: await searchDocuments(deps, access, found, { query, limit, signal }) })
      }),
  )
  server.registerTool(
    'list_documents',
    {
      title: 'List documents',
      description: 'Lists the documents that answers in a channel come from, newest first.',
      inputSchema: z.object({
        channel,
        limit: z.number().int().min(1).max(200).default(50),
        skip: z.number().int().min(0).max(100_000).default(0),
      }),
      outputSchema: z.object({
        documents: z.array(
          z.object({
            document_id: z.string(),
            title: z.string(),
            file_type: z.string(),
            version: z.number(),
            pages: z.number().nullable(),
          }),
        ),
      }),
      annotations: readOnly,
    },
    ({ channel: model, limit, skip }) =>
      refuseInWords(async () => {
        const found = await requireModel(deps, access, model)
        const documents = await listDocuments(deps, access, [found], { limit, skip })
        return toResult({
          documents: documents.map(({ id, title, kind, number, pages }) => ({
            document_id: id,
            title,
            file_type: kind,
            version: number,
            pages,
          })),
        })
      }),
  )
  server.registerTool(
    'read',
    {
      title: 'Read a document',
      description:
        'Reads the text of a document, about 20,000 characters at a time. To go on, pass next_start as start.',
      inputSchema: z.object({
        document_id: documentId,
        version: z.number().int().min(1).max(100_000).optional(),
        start: z.number().int().min(0).max(1_000_000_000).default(0),
      }),
      outputSchema: z.object({
        title: z.string(),
        version: z.number(),
        pages: z.array(z.object({ page, start: z.number(), text: z.string() })),
        next_start: z.number().nullable(),
      }),
      annotations: readOnly,
    },
    ({ document_id: id, start, version }) =>
      refuseInWords(async () => toResult({ ...(await readDocument(deps, access, { id, start, version })) })),
  )
}

function addAnswerTool(server: McpServer, deps: Deps, call: ProgramCall): void {
  const { access, signal, startMessage } = call
  server.registerTool(
    'answer',
    {
      title: 'Answer a question',
      description:
        'Answers a question from the documents of a channel, with checked citations [n]. Says so if the documents do not answer it.',
      inputSchema: z.object({ channel, question: z.string().min(1).max(16_000) }),
      outputSchema: z.object({
        text: z.string(),
        is_refusal: z.boolean(),
        citations: z.array(citation),
      }),
      annotations: { openWorldHint: false, readOnlyHint: false, destructiveHint: false },
    },
    ({ channel: model, question }) =>
      refuseInWords(async () => {
        const found = await requireModel(deps, access, model)
        const running = await startMessage(() =>
          ask(deps, access, { channel: found, question, history: [], signal }),
        )
        for await (const part of running.parts)
          if (part.type === 'end') {
            const { content, mode } = part.reply
            const citations = presentCitations(deps, running.address, part.reply)
            const sources = citations.map(
              ({ n, title, page: at, quote, url }) =>
                `[${n}] ${title}${at === null ? '' : `, page ${at}`}: “${quote}” ${url}`,
            )
            const text = [content, ...sources].join('\n\n')
            return toResult({ text: content, is_refusal: mode === 'refusal', citations }, text)
          }
        throw new AppError('chat.interrupted')
      }),
  )
}

/** Offers the tools that the key's scopes allow. */
export function addTools(server: McpServer, deps: Deps, call: ProgramCall): void {
  const { access } = call
  server.registerTool(
    'list_channels',
    {
      title: 'List channels',
      description: 'Lists the channels whose documents can be searched and asked.',
      outputSchema: z.object({ channels: z.array(z.object({ id: z.string(), name: z.string() })) }),
      annotations: readOnly,
    },
    async () => {
      const { data } = await listModels(deps, access)
      return toResult({ channels: data.map(({ id, name }) => ({ id, name })) })
    },
  )
  if (access.scopes.has('documents')) addDocumentTools(server, deps, call)
  if (access.scopes.has('chat')) addAnswerTool(server, deps, call)
}
