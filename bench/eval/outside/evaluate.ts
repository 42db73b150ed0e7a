import { rankWithLucene } from '../../../tools/peers/lucene.ts'
import { ask } from '../ask.ts'
import { type Ranking, type RankScores, scoreRanks } from '../metrics.ts'
import {
  createIndexedChannel,
  type EvalServer,
  findTopPassages,
  listPassages,
  readText,
  startEvalServer,
  type TextRange,
} from '../server.ts'
import { type QuestionSet, readQuestionSet, type SetQuestion } from './question-set.ts'

/** How many hits are scored. */
const depth = 20

export interface OutsideScores {
  set: string
  passages: number
  lyceum: RankScores
  lucene: RankScores
  /** Of the answerable questions, without a model. */
  refused: number
  /** Answerable questions whose answer the first quotation contains, or any of up to three. */
  quotes: { first: number; any: number }
  /** Questions about the articles that they do not answer. */
  unanswerable: { questions: number; refused: number }
}

/** Where the accepted answers of a question are. */
function locateAnswers({ paragraph, answers }: SetQuestion, documentId: string, text: string): TextRange[] {
  const at = text.indexOf(paragraph.trim())
  if (at < 0) throw new Error(`The document does not contain “${paragraph.slice(0, 60)}”.`)
  const indent = paragraph.length - paragraph.trimStart().length
  return answers.map(({ text: { length }, start }) => {
    const charStart = at + start - indent
    return { documentId, charStart, charEnd: charStart + length }
  })
}

function contains(passage: TextRange, answers: readonly TextRange[]): boolean {
  return answers.some(
    ({ documentId, charStart, charEnd }) =>
      passage.documentId === documentId && passage.charStart <= charStart && charEnd <= passage.charEnd,
  )
}

/** Asks all questions without a model. */
async function checkReplies(server: EvalServer, channelId: string, questions: readonly SetQuestion[]) {
  const counts = { refused: 0, first: 0, any: 0 }
  for (const { question, answers } of questions) {
    const { mode, citations } = await ask(server.app.deps, { channelId, question })
    const hasAnswer = citations.map(({ quote }) => answers.some(({ text }) => quote.includes(text)))
    if (mode === 'refusal') counts.refused += 1
    if (hasAnswer[0]) counts.first += 1
    if (hasAnswer.includes(true)) counts.any += 1
  }
  return counts
}

async function evaluateSet(server: EvalServer, set: QuestionSet, language: string): Promise<OutsideScores> {
  // The titles of public sets are often English, so they are left out.
  const { channelId, documentIds } = await createIndexedChannel(
    server,
    set.articles.map((paragraphs, at) => ({
      name: `article-${at + 1}.txt`,
      title: `Article ${at + 1}`,
      content: paragraphs.map((paragraph) => paragraph.trim()).join('\n\n'),
    })),
  )
  const texts = await Promise.all(documentIds.map((id) => readText(server, id)))
  const passages = await listPassages(server, channelId)
  const answerable = set.questions.filter(({ answers }) => answers.length > 0)
  const byLucene = rankWithLucene(
    language,
    passages.map(({ text }) => text),
    answerable.map(({ question }) => question),
    depth,
  )
  const lyceum: Ranking[] = []
  const lucene: Ranking[] = []
  for (const [at, asked] of answerable.entries()) {
    const answers = locateAnswers(asked, documentIds[asked.article] ?? '', texts[asked.article] ?? '')
    const gold = passages.map((passage) => contains(passage, answers))
    const goldPassages = gold.filter(Boolean).length
    const found = await findTopPassages(server.app.deps, channelId, asked.question, depth)
    lyceum.push({ isGold: found.map((passage) => contains(passage, answers)), goldPassages })
    lucene.push({ isGold: (byLucene[at] ?? []).map((position) => gold[position] === true), goldPassages })
  }
  const { refused, ...quotes } = await checkReplies(server, channelId, answerable)
  const others = set.questions.filter(({ answers }) => answers.length === 0)
  const unanswerable = await checkReplies(server, channelId, others)
  return {
    set: set.name,
    passages: passages.length,
    lyceum: scoreRanks(lyceum),
    lucene: scoreRanks(lucene),
    refused,
    quotes,
    unanswerable: { questions: others.length, refused: unanswerable.refused },
  }
}

/** Evaluates public sets that nothing here was tuned on, each with its language, such as `hi`. */
export async function evaluateOutside(
  settings: Record<string, string>,
  sets: readonly { path: string; language: string }[],
  logStep: (step: string) => void,
): Promise<OutsideScores[]> {
  const scores: OutsideScores[] = []
  for (const { path, language } of sets) {
    logStep(`Evaluating ${path} …`)
    const server = await startEvalServer(settings)
    try {
      scores.push(await evaluateSet(server, readQuestionSet(path), language))
    } finally {
      await server.app.close()
    }
  }
  return scores
}
