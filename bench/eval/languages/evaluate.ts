import { buffer } from 'node:stream/consumers'
import { selectSources } from '../../../server/src/features/answering/select-sources.ts'
import type { TextExtractor } from '../../../server/src/providers/text-extraction/port.ts'
import { readTxt } from '../../../server/src/providers/text-extraction/read-txt.ts'
import { rankWithLucene } from '../../../tools/peers/lucene.ts'
import { ask, type HistoryTurn } from '../ask.ts'
import { type Ranking, type RankScores, scoreRanks } from '../metrics.ts'
import { createScriptedModel } from '../scripted-model.ts'
import {
  changeDocument,
  createIndexedChannel,
  type EvalServer,
  findTopPassages,
  listPassages,
  startEvalServer,
} from '../server.ts'
import { type ClaimScores, checkClaims, createClaimScores, createClaims, createFormFinder } from './claims.ts'
import { type LearnedLimit, scoreLearnedLimit } from './learned-limit.ts'
import { createPageFile, getManual, type ManualPage, readPagesWithAnswers } from './manuals.ts'
import {
  type AnswerableQuestion,
  type FollowUp,
  type Half,
  listPagesWithAnswers,
  type Questions,
  readFollowUpFile,
  readQuestionFile,
  selectFollowUps,
  selectQuestions,
  typeWithoutMarks,
} from './question-file.ts'

/** The ranks of the first hit, counted from 1; null if it is not among those that are scored. */
interface QuestionRanks {
  pageId: string
  question: string
  lyceum: number | null
  lucene: number | null
}

interface Comparison {
  lyceum: RankScores
  lucene: RankScores
  questions: QuestionRanks[]
}

interface Share {
  questions: number
  refused: number
}

export interface LanguageScores {
  language: string
  manual: string
  pages: number
  passages: number
  ranks: Comparison
  /** The same questions as they are typed without marks; null if the language has none. */
  ranksWithoutMarks: Comparison | null
  /** Answerable questions whose page is in the prompt of a model in an open channel. */
  inPrompt: number
  refusals: { answerable: Share; unrelated: Share; nearMisses: Share }
  /** Answerable questions whose first quotation, or any of up to three, is from their page. */
  quotes: { first: number; any: number }
  /** Learned from each half, and tried on the other one. */
  learnedLimits: LearnedLimit[]
  conversations: ConversationScores
  /** Which citations of a model our checks accept. */
  claims: ClaimScores
}

/** Questions that are asked after another one, which the server has answered. */
interface ConversationScores {
  /** The answerable questions after one about something else. */
  ranks: RankScores
  unrelated: Share
  /** Null if the language has no follow-up questions. */
  followUps: FollowUpScores | null
}

interface FollowUpScores {
  /** By their own words only, and together with the earlier question. */
  alone: RankScores
  ranks: RankScores
  inPrompt: number
  refused: number
  /** Follow-up questions of which one of the quotations is from their page. */
  quoted: number
}

/** A channel with the pages of a manual. */
interface Channel {
  server: EvalServer
  language: string
  channelId: string
  documentIds: ReadonlyMap<string, string>
  passages: Awaited<ReturnType<typeof listPassages>>
  titles: ReadonlyMap<string, string>
}

/** Reads text files in this process: a child process for each would take longer than everything else. */
const textExtractor: TextExtractor = {
  extract: async ({ open }) => ({ ...readTxt(await buffer(await open())), unreadPages: [] }),
  close: async () => undefined,
}

/** How many hits are scored. */
const depth = 10

async function createChannel(
  server: EvalServer,
  language: string,
  pages: readonly ManualPage[],
): Promise<Channel> {
  server.app.deps.textExtractor = textExtractor
  const { channelId, documentIds } = await createIndexedChannel(server, pages.map(createPageFile))
  const order = new Map(documentIds.map((id, at) => [id, at]))
  const passages = (await listPassages(server, channelId)).toSorted(
    (a, b) => (order.get(a.documentId) ?? 0) - (order.get(b.documentId) ?? 0) || a.charStart - b.charStart,
  )
  return {
    server,
    language,
    channelId,
    documentIds: new Map(pages.map(({ id }, at) => [id, documentIds[at] ?? ''])),
    passages,
    titles: new Map(pages.map(({ title }, at) => [documentIds[at] ?? '', title])),
  }
}

function getDocumentId({ documentIds }: Channel, pageId: string): string {
  const id = documentIds.get(pageId)
  if (id === undefined) throw new Error(`the channel has no page ${pageId}`)
  return id
}

/** Which passages the search finds that are from the page of the question. */
async function rankPassages(
  channel: Channel,
  { pageId, question }: Pick<AnswerableQuestion, 'pageId' | 'question'>,
  earlierQuestion?: string,
): Promise<Ranking> {
  const { server, channelId, passages } = channel
  const gold = getDocumentId(channel, pageId)
  const found = await findTopPassages(server.app.deps, channelId, question, depth, earlierQuestion)
  return {
    isGold: found.map(({ documentId }) => documentId === gold),
    goldPassages: passages.filter(({ documentId }) => documentId === gold).length,
  }
}

/** Ranks by Lyceum and by Lucene. A hit is any passage of the page that answers the question. */
async function compareRanks(channel: Channel, questions: readonly AnswerableQuestion[]): Promise<Comparison> {
  const { language, passages, titles } = channel
  const byLucene = rankWithLucene(
    language,
    passages.map(({ documentId, text }) => `${titles.get(documentId)} ${text}`),
    questions.map(({ question }) => question),
    depth,
  )
  const lyceum: Ranking[] = []
  const lucene: Ranking[] = []
  for (const [at, answerable] of questions.entries()) {
    const ranking = await rankPassages(channel, answerable)
    const gold = getDocumentId(channel, answerable.pageId)
    lyceum.push(ranking)
    lucene.push({
      isGold: (byLucene[at] ?? []).map((position) => passages[position]?.documentId === gold),
      goldPassages: ranking.goldPassages,
    })
  }
  function findRank(ranking: Ranking | undefined): number | null {
    const position = ranking?.isGold.indexOf(true) ?? -1
    return position === -1 ? null : position + 1
  }
  return {
    lyceum: scoreRanks(lyceum),
    lucene: scoreRanks(lucene),
    questions: questions.map(({ pageId, question }, at) => ({
      pageId,
      question,
      lyceum: findRank(lyceum[at]),
      lucene: findRank(lucene[at]),
    })),
  }
}

async function compareWithoutMarks(
  channel: Channel,
  questions: readonly AnswerableQuestion[],
): Promise<Comparison | null> {
  const typed = questions.flatMap((answerable) => {
    const question = typeWithoutMarks(channel.language, answerable.question)
    return question === null ? [] : [{ ...answerable, question }]
  })
  return typed.length === 0 ? null : compareRanks(channel, typed)
}

/** Whether a passage of the page reaches a model in an open channel. */
async function reachesPrompt(
  channel: Channel,
  { pageId, question }: Pick<AnswerableQuestion, 'pageId' | 'question'>,
  history: readonly HistoryTurn[] = [],
): Promise<boolean> {
  const { server, channelId, passages } = channel
  const gold = getDocumentId(channel, pageId)
  const model = createScriptedModel('grounded')
  await ask(server.app.deps, { channelId, question, history, model })
  const prompt = model.lastPrompt()
  return passages.some(({ documentId, text }) => documentId === gold && prompt.includes(text.trim()))
}

async function countRefusals(
  channel: Channel,
  questions: readonly string[],
  history: readonly HistoryTurn[] = [],
): Promise<Share> {
  const { server, channelId } = channel
  let refused = 0
  for (const question of questions) {
    const { mode } = await ask(server.app.deps, { channelId, question, history })
    if (mode === 'refusal') refused += 1
  }
  return { questions: questions.length, refused }
}

async function checkReplies(channel: Channel, questions: readonly AnswerableQuestion[]) {
  const { server, channelId } = channel
  const counts = { refused: 0, first: 0, any: 0, inPrompt: 0 }
  for (const answerable of questions) {
    const gold = getDocumentId(channel, answerable.pageId)
    const { mode, citations } = await ask(server.app.deps, { channelId, question: answerable.question })
    if (mode === 'refusal') counts.refused += 1
    if (citations[0]?.documentId === gold) counts.first += 1
    if (citations.some(({ documentId }) => documentId === gold)) counts.any += 1
    if (await reachesPrompt(channel, answerable)) counts.inPrompt += 1
  }
  return counts
}

/** Asks a question without a model, and returns the conversation. */
async function startConversation({ server, channelId }: Channel, question: string): Promise<HistoryTurn[]> {
  const { text } = await ask(server.app.deps, { channelId, question })
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: text },
  ]
}

async function scoreFollowUps(channel: Channel, followUps: readonly FollowUp[]): Promise<FollowUpScores> {
  const { server, channelId } = channel
  const alone: Ranking[] = []
  const ranks: Ranking[] = []
  const counts = { inPrompt: 0, refused: 0, quoted: 0 }
  for (const followUp of followUps) {
    const { pageId, question, earlier } = followUp
    const gold = getDocumentId(channel, pageId)
    alone.push(await rankPassages(channel, followUp))
    ranks.push(await rankPassages(channel, followUp, earlier.question))
    const history = await startConversation(channel, earlier.question)
    const { mode, citations } = await ask(server.app.deps, { channelId, question, history })
    if (mode === 'refusal') counts.refused += 1
    if (citations.some(({ documentId }) => documentId === gold)) counts.quoted += 1
    if (await reachesPrompt(channel, followUp, history)) counts.inPrompt += 1
  }
  return { alone: scoreRanks(alone), ranks: scoreRanks(ranks), ...counts }
}

async function scoreConversations(
  channel: Channel,
  { answerable, unrelated }: Questions,
  followUps: readonly FollowUp[] | null,
): Promise<ConversationScores> {
  const ranks: Ranking[] = []
  for (const [at, question] of answerable.entries()) {
    const other = answerable[(at + 1) % answerable.length]
    ranks.push(await rankPassages(channel, question, other?.question))
  }
  const history = await startConversation(channel, answerable[0]?.question ?? '')
  return {
    ranks: scoreRanks(ranks),
    unrelated: await countRefusals(channel, unrelated, history),
    followUps: followUps && (await scoreFollowUps(channel, followUps)),
  }
}

/** Checks citations of claims that are made from the passages of each question's page. */
async function checkCitations(
  channel: Channel,
  questions: readonly AnswerableQuestion[],
): Promise<ClaimScores> {
  const { server, channelId, language, passages } = channel
  const findForm = createFormFinder(
    passages.map(({ text }) => text),
    language,
  )
  const scores = createClaimScores()
  for (const [at, { pageId, question }] of questions.entries()) {
    const found = await findTopPassages(server.app.deps, channelId, question, depth)
    const sources = await selectSources(server.app.deps, channelId, found)
    const gold = getDocumentId(channel, pageId)
    const right = sources.findIndex(({ documentId }) => documentId === gold)
    if (right < 0) continue
    const unseen = [...questions.slice(at + 1), ...questions.slice(0, at)]
      .map((other) => getDocumentId(channel, other.pageId))
      .find((id) => sources.every(({ documentId }) => documentId !== id))
    const passage = passages.find(({ documentId }) => documentId === unseen)
    if (!passage) throw new Error('all pages are among the sources')
    const options = { question, language, findForm, unseen: passage.text }
    checkClaims(sources, createClaims(sources, right + 1, options), scores)
  }
  return scores
}

async function evaluateLanguage(
  server: EvalServer,
  language: string,
  half: Half | null,
): Promise<LanguageScores> {
  const file = readQuestionFile(language)
  const followUps = readFollowUpFile(language)
  const pages = readPagesWithAnswers(getManual(file.manual), language, listPagesWithAnswers(file, followUps))
  // Pages are removed for the near misses of both halves, so that each half sees the same channel.
  const removed = selectQuestions(file, null).answerable.filter(({ isNearMiss }) => isNearMiss)
  const { answerable, unrelated } = selectQuestions(file, half)
  const channel = await createChannel(server, language, pages)
  const ranks = await compareRanks(channel, answerable)
  const ranksWithoutMarks = await compareWithoutMarks(channel, answerable)
  const { refused, inPrompt, ...quotes } = await checkReplies(channel, answerable)
  const conversations = await scoreConversations(
    channel,
    { answerable, unrelated },
    followUps && selectFollowUps(followUps, half),
  )
  const claims = await checkCitations(channel, answerable)
  const learning = {
    ...{ server, channelId: channel.channelId, file },
    findDocumentId: (pageId: string) => getDocumentId(channel, pageId),
  }
  const learnedLimits = [
    await scoreLearnedLimit(learning, 'choose'),
    await scoreLearnedLimit(learning, 'confirm'),
  ]
  const refusedUnrelated = await countRefusals(channel, unrelated)
  for (const { pageId } of removed) await changeDocument(server, 'remove', getDocumentId(channel, pageId))
  await server.app.runJobs()
  const nearMisses = answerable.filter(({ isNearMiss }) => isNearMiss).map(({ question }) => question)
  return {
    language,
    manual: file.manual,
    pages: channel.documentIds.size,
    passages: channel.passages.length,
    ranks,
    ranksWithoutMarks,
    inPrompt,
    refusals: {
      answerable: { questions: answerable.length, refused },
      unrelated: refusedUnrelated,
      nearMisses: await countRefusals(channel, nearMisses),
    },
    quotes,
    learnedLimits,
    conversations,
    claims,
  }
}

/** Evaluates one language after the other. The same texts always give the same figures. */
export async function evaluateLanguages(
  settings: Record<string, string>,
  languages: readonly string[],
  half: Half | null,
  logStep: (step: string) => void,
): Promise<LanguageScores[]> {
  const scores: LanguageScores[] = []
  for (const language of languages) {
    logStep(`Evaluating ${language} …`)
    // A server for each, because the search counts words over all channels.
    const server = await startEvalServer(settings)
    try {
      scores.push(await evaluateLanguage(server, language, half))
    } finally {
      await server.app.close()
    }
  }
  return scores
}
