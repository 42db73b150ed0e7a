import { randomBytes } from 'node:crypto'
import type { UnansweredReason } from '@lyceum/contract/analytics'
import { type LanguageModel, languageModels } from '@lyceum/contract/channels'
import { askModel, extractiveModel } from '#providers/assistant/model-calls.ts'
import type { ChatModel } from '#providers/assistant/port.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { getCurrentModel } from '../assistants/model-map.ts'
import type { AnswerPart, AnswerRequest } from './answer-parts.ts'
import { streamAssistantAnswer } from './assistant-answer.ts'
import { type CitationCheck, createCitationCheck } from './citation-check.ts'
import { type CheckedPart, type CheckedPiece, createCitationFilter } from './citations.ts'
import { citePassage } from './cite-passage.ts'
import { confirmPieces } from './confirm-pieces.ts'
import { joinContinuation, numberPassages } from './continuation.ts'
import { createEvidence } from './evidence.ts'
import { createExtractiveReply } from './extractive.ts'
import { buildTurns } from './prompt.ts'
import { createWordRarity, type WordRarity } from './quotation.ts'
import { type SearchResult, searchPassages } from './search.ts'
import { hasClosePassage, selectSources } from './select-sources.ts'
import type { SourcePassage } from './source-passage.ts'
import { createStrictFilter, getRefusal } from './strict.ts'

function parseModelLabel(name: string): LanguageModel {
  const label = languageModels.find((known) => known === name)
  if (!label) throw new AppError('assistant.not_configured')
  return label
}

/** Sources by citation number, starting at 1; null if a number is unassigned. */
type Sources = readonly (SourcePassage | null)[]

interface AnswerFilter {
  push(text: string): CheckedPiece[]
  end(): CheckedPiece[]
  /** Of the citations that the filter removed, or of the citations and sentences. */
  countRemoved(): number
}

interface FilterOptions {
  filter: AnswerFilter
  sources: Sources
  /** The citations of the interrupted answer that is continued. */
  cited: readonly { n: number }[]
  /** A strict filter holds text back, so readers are told as soon as there is something to check. */
  isStrict: boolean
  /** The second check by a model; null if the channel has none. */
  check: CitationCheck | null
  signal: AbortSignal
}

async function* filterPieces(
  texts: AsyncIterable<string>,
  filter: AnswerFilter,
): AsyncGenerator<CheckedPiece[]> {
  for await (const text of texts) yield filter.push(text)
  yield filter.end()
}

/**
 * Passes the model's text through a filter and yields each citation before its number first appears. Only models are
 * waited for: what arrives is checked at once. Removed citations are reported at once too, so that they also count for
 * a reply that is stopped; a strict channel does not show them.
 */
async function* filterAnswer(
  texts: AsyncIterable<string>,
  { filter, sources, cited, isStrict, check, signal }: FilterOptions,
): AsyncGenerator<AnswerPart> {
  const introduced = new Set(cited.map(({ n }) => n))
  let rarity: WordRarity | undefined
  function getRarity(): WordRarity {
    rarity ??= createWordRarity(sources.flatMap((source) => source?.text ?? []))
    return rarity
  }
  let reported = 0

  function* toAnswerParts(checked: readonly CheckedPart[]): Generator<AnswerPart> {
    const removed = filter.countRemoved()
    if (!isStrict && removed > reported) yield { type: 'removed', citations: removed - reported }
    reported = removed
    for (const part of checked) {
      if (part.type === 'text') {
        yield part
        continue
      }
      const passage = sources[part.n - 1]
      if (!passage) continue
      if (!introduced.has(part.n))
        yield {
          type: 'citation',
          citation: citePassage(part.n, passage, { wording: part.sentence, weigh: getRarity() }),
        }
      introduced.add(part.n)
      yield { type: 'text', text: `[${part.n}]` }
    }
  }

  let isReported = !isStrict
  for await (const { parts, verdicts } of confirmPieces(filterPieces(texts, filter), check, signal)) {
    if (!isReported) yield { type: 'status', status: 'checking' }
    isReported = true
    if (verdicts) yield { type: 'verdicts', counts: verdicts }
    yield* toAnswerParts(parts)
  }
}

/** The second check of a channel's citations, if it has one. */
function startCitationCheck(
  deps: Deps,
  { channel, signal, calls }: AnswerRequest,
  chatModel: ChatModel,
  sources: Sources,
): CitationCheck | null {
  if (channel.check_citations === 0) return null
  const label = parseModelLabel(channel.llm_model)
  return createCitationCheck(deps, { chatModel, label, channelId: channel.id, sources, signal, calls })
}

function requestAnswer(
  { channel, question, pictures, history, interrupted, signal, calls }: AnswerRequest,
  chatModel: ChatModel,
  sources: Sources,
): AsyncIterable<string> {
  const isStrict = channel.strict_documents_only === 1
  const turns = buildTurns({
    systemPrompt: channel.system_prompt,
    isStrict,
    history,
    sources,
    question,
    pictures,
    marker: randomBytes(8).toString('hex'),
    interruptedText: interrupted?.text ?? null,
  })
  const request = {
    label: parseModelLabel(channel.llm_model),
    turns,
    allowWebSearch: !isStrict,
    cacheKey: channel.id,
    signal,
  }
  return joinContinuation(interrupted, askModel(chatModel, request, 'answer', calls))
}

async function* streamOpenAnswer(
  deps: Deps,
  request: AnswerRequest,
  chatModel: ChatModel,
  found: SearchResult,
) {
  const { text, citations: cited } = request.interrupted ?? { text: '', citations: [] }
  const selected = await selectSources(deps, request.channel.id, found.passages)
  const sources = numberPassages([...request.attached.passages, ...selected], cited)
  const isWithoutFiles = request.attached.passages.length === 0 && request.pictures.sent.length === 0
  const hasClose = hasClosePassage(found.passages, request.channel.min_match)
  const isWithoutPassage = found.hasDocuments && !hasClose
  const unanswered = isWithoutPassage && isWithoutFiles && cited.length === 0 ? 'without-passage' : null
  yield { type: 'mode', mode: 'model', unanswered } as const
  yield { type: 'status', status: 'thinking' } as const
  const filter = createCitationFilter(createEvidence(sources), text)
  yield* filterAnswer(requestAnswer(request, chatModel, sources), {
    filter,
    sources,
    cited,
    isStrict: false,
    check: startCitationCheck(deps, request, chatModel, sources),
    signal: request.signal,
  })
  if (filter.countRemoved() > 0)
    deps.log.info(
      { channelId: request.channel.id, removed: filter.countRemoved() },
      'removed unsupported citations',
    )
}

async function* streamRefusal(text: string, unanswered: UnansweredReason): AsyncGenerator<AnswerPart> {
  yield { type: 'mode', mode: 'refusal', unanswered }
  yield { type: 'text', text }
}

async function* streamStrictAnswer(
  deps: Deps,
  request: AnswerRequest,
  chatModel: ChatModel,
  found: SearchResult,
) {
  const { text, citations: cited } = request.interrupted ?? { text: '', citations: [] }
  const where = { hasDocuments: found.hasDocuments, hasFiles: request.attached.hasFiles }
  const minMatch = request.channel.min_match
  // Without a learned limit, the model is asked about anything that is relevant.
  const hasClose = minMatch === null || hasClosePassage(found.passages, minMatch)
  const selected = hasClose ? await selectSources(deps, request.channel.id, found.passages) : []
  const sources = numberPassages([...request.attached.passages, ...selected], cited)
  if (sources.length === 0) {
    if (request.interrupted) throw new AppError('chat.cannot_continue')
    yield* streamRefusal(getRefusal(where), found.hasDocuments ? 'nothing-found' : 'no-documents')
    return
  }
  yield { type: 'mode', mode: 'model' } as const
  yield { type: 'status', status: 'thinking' } as const
  const filter = createStrictFilter(createEvidence(sources), text)
  yield* filterAnswer(requestAnswer(request, chatModel, sources), {
    filter,
    sources,
    cited,
    isStrict: true,
    check: startCitationCheck(deps, request, chatModel, sources),
    signal: request.signal,
  })
  if (filter.countRemoved() > 0)
    deps.log.info(
      { channelId: request.channel.id, removed: filter.countRemoved() },
      'removed unsupported sentences',
    )
  if (!filter.hasReleased()) yield* streamRefusal(getRefusal(where), 'not-supported')
}

async function* streamQuotations({ channel, question, attached, calls }: AnswerRequest, found: SearchResult) {
  const { mode, parts } = createExtractiveReply({
    question,
    context: found.context,
    passages: [...attached.passages, ...found.passages],
    hasDocuments: found.hasDocuments,
    hasFiles: attached.hasFiles,
    isStrict: channel.strict_documents_only === 1,
    minMatch: channel.min_match,
  })
  calls.push({
    purpose: 'answer',
    requested: channel.llm_model,
    actual: extractiveModel,
    reportedUsage: null,
    promptText: '',
    answerText: '',
  })
  const reason = found.hasDocuments ? 'nothing-found' : 'no-documents'
  yield { type: 'mode', mode, unanswered: mode === 'refusal' ? reason : null } as const
  yield* parts
}

/** Streams the answer to a question. Everything it yields has been checked and may be shown. */
export async function* streamAnswer(deps: Deps, request: AnswerRequest): AsyncGenerator<AnswerPart> {
  const { channel } = request
  if (channel.use_assistant === 1) {
    yield* streamAssistantAnswer(deps, request)
    return
  }
  yield { type: 'status', status: 'searching' }
  const chatModel = await getCurrentModel(deps)
  if (!chatModel && request.interrupted) throw new AppError('chat.cannot_continue')
  const found = await searchPassages(deps, { ...request, channelId: channel.id, chatModel })
  const isStrict = channel.strict_documents_only === 1
  // Where nothing but passages is used, files count too: a refusal is then not for lack of documents.
  const hasFiles = request.attached.hasFiles && (isStrict || !chatModel)
  yield { type: 'documents', hasDocuments: found.hasDocuments || hasFiles }
  if (!chatModel) yield* streamQuotations(request, found)
  else if (isStrict) yield* streamStrictAnswer(deps, request, chatModel, found)
  else yield* streamOpenAnswer(deps, request, chatModel, found)
}
