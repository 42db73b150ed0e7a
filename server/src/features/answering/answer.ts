import { randomBytes } from 'node:crypto'
import type { UnansweredReason } from '@lyceum/contract/analytics'
import { type LanguageModel, languageModels } from '@lyceum/contract/channels'
import { askModel, extractiveModel } from '#providers/assistant/model-calls.ts'
import type { ChatModel } from '#providers/assistant/port.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { getCurrentModel } from '../assistants/model-map.ts'
import type { FoundPassage } from '../documents/retrieval/retrieval.ts'
import type { AnswerPart, AnswerRequest } from './answer-parts.ts'
import { assistantAnswer } from './assistant-answer.ts'
import { type CheckedPart, createCitationFilter } from './citations.ts'
import { citePassage } from './cite-passage.ts'
import { continuing, numbered } from './continuation.ts'
import { createEvidence } from './evidence.ts'
import { extractiveReply } from './extractive.ts'
import { buildTurns, withinBudget } from './prompt.ts'
import { type Found, searchPassages } from './search.ts'
import { createStrictFilter, refusals } from './strict.ts'

/** Minimum relevance for a passage to be sent to the model: lexical overlap or embedding similarity. */
const near = { strict: { cover: 0.1, similarity: 0.25 }, open: { cover: 0.3, similarity: 0.4 } } as const

function labelOf(name: string): LanguageModel {
  const label = languageModels.find((known) => known === name)
  if (!label) throw new AppError('assistant.not_configured')
  return label
}

function nearEnough(
  passages: readonly FoundPassage[],
  { cover, similarity }: (typeof near)[keyof typeof near],
): FoundPassage[] {
  return withinBudget(
    passages.filter((found) => found.coverage >= cover || (found.similarity ?? -1) >= similarity),
  ).slice(0, 8)
}

/** Sources by citation number, starting at 1; null if a number is unassigned. */
type Sources = readonly (FoundPassage | null)[]

interface Filter {
  push(text: string): CheckedPart[]
  end(): CheckedPart[]
}

/** Passes the model's text through a filter and yields each citation before its number first appears. */
async function* checked(
  text: AsyncIterable<string>,
  filter: Filter,
  sources: Sources,
  cited: readonly { n: number }[] = [],
): AsyncGenerator<AnswerPart> {
  const introduced = new Set(cited.map(({ n }) => n))
  function* present(parts: readonly CheckedPart[]): Generator<AnswerPart> {
    for (const part of parts) {
      if (part.type === 'text') {
        yield part
        continue
      }
      const passage = sources[part.n - 1]
      if (!passage) continue
      if (!introduced.has(part.n))
        yield { type: 'citation', citation: citePassage(part.n, passage, part.sentence) }
      introduced.add(part.n)
      yield { type: 'text', text: `[${part.n}]` }
    }
  }
  for await (const piece of text) yield* present(filter.push(piece))
  yield* present(filter.end())
}

function ask(
  { channel, question, history, continued, signal, calls }: AnswerRequest,
  chat: ChatModel,
  sources: Sources,
): AsyncGenerator<string> {
  const isStrict = channel.strict_documents_only === 1
  const turns = buildTurns({
    systemPrompt: channel.system_prompt,
    isStrict,
    history,
    sources,
    question,
    marker: randomBytes(8).toString('hex'),
    written: continued?.text ?? null,
  })
  const request = {
    label: labelOf(channel.llm_model),
    turns,
    allowWebSearch: !isStrict,
    cacheKey: channel.id,
    signal,
  }
  return continuing(continued, askModel(chat, request, 'answer', calls))
}

async function* openAnswer(deps: Deps, request: AnswerRequest, chat: ChatModel, found: Found) {
  const { text, citations } = request.continued ?? { text: '', citations: [] }
  const sources = numbered(nearEnough(found.passages, near.open), citations)
  const unanswered = found.hasDocuments && sources.length === 0 ? 'without-passage' : null
  yield { type: 'mode', mode: 'model', unanswered } as const
  yield { type: 'status', status: 'thinking' } as const
  const filter = createCitationFilter(createEvidence(sources), text)
  yield* checked(ask(request, chat, sources), filter, sources, citations)
  if (filter.removed() > 0)
    deps.log.info({ channelId: request.channel.id, removed: filter.removed() }, 'citations were taken out')
}

async function* refuse(text: string, unanswered: UnansweredReason): AsyncGenerator<AnswerPart> {
  yield { type: 'mode', mode: 'refusal', unanswered }
  yield { type: 'text', text }
}

async function* strictAnswer(deps: Deps, request: AnswerRequest, chat: ChatModel, found: Found) {
  const { text, citations } = request.continued ?? { text: '', citations: [] }
  const sources = numbered(nearEnough(found.passages, near.strict), citations)
  if (sources.length === 0) {
    if (request.continued) throw new AppError('chat.cannot_continue')
    if (found.hasDocuments) yield* refuse(refusals.notFound, 'nothing-found')
    else yield* refuse(refusals.noDocuments, 'no-documents')
    return
  }
  yield { type: 'mode', mode: 'model' } as const
  yield { type: 'status', status: 'checking' } as const
  const filter = createStrictFilter(createEvidence(sources), text)
  yield* checked(ask(request, chat, sources), filter, sources, citations)
  if (filter.removed() > 0)
    deps.log.info({ channelId: request.channel.id, removed: filter.removed() }, 'sentences were taken out')
  if (!filter.hasReleased()) yield* refuse(refusals.notFound, 'not-supported')
}

async function* quoteAnswer({ channel, question, calls }: AnswerRequest, found: Found) {
  const { mode, parts } = extractiveReply({
    question,
    context: found.context,
    passages: found.passages,
    hasDocuments: found.hasDocuments,
    isStrict: channel.strict_documents_only === 1,
  })
  calls.push({
    purpose: 'answer',
    requested: channel.llm_model,
    actual: extractiveModel,
    reported: null,
    asked: '',
    answered: '',
  })
  const reason = found.hasDocuments ? 'nothing-found' : 'no-documents'
  yield { type: 'mode', mode, unanswered: mode === 'refusal' ? reason : null } as const
  yield* parts
}

/** Streams the answer to a question. Everything it yields has been checked and may be shown. */
export async function* answer(deps: Deps, request: AnswerRequest): AsyncGenerator<AnswerPart> {
  const { channel } = request
  if (channel.use_assistant === 1) {
    yield* assistantAnswer(deps, request)
    return
  }
  yield { type: 'status', status: 'searching' }
  const chat = await getCurrentModel(deps)
  if (!chat && request.continued) throw new AppError('chat.cannot_continue')
  const found = await searchPassages(deps, { ...request, channelId: channel.id, chat })
  if (!chat) yield* quoteAnswer(request, found)
  else if (channel.strict_documents_only === 1) yield* strictAnswer(deps, request, chat, found)
  else yield* openAnswer(deps, request, chat, found)
}
