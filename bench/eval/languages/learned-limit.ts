import { learnMinMatch } from '../../../server/src/features/test-bench/learn-limit.ts'
import { ask } from '../ask.ts'
import { type EvalServer, findTopPassages } from '../server.ts'
import { type Half, type QuestionFile, selectQuestions } from './question-file.ts'

interface Share {
  questions: number
  refused: number
}

/** What a limit learned from one half of the questions does to the other half, without a model. */
export interface LearnedLimit {
  /** Null if none was learned, so that the usual limit applies. */
  minMatch: number | null
  learnedFrom: Half
  answerable: Share
  unrelated: Share
}

interface Options {
  server: EvalServer
  channelId: string
  file: QuestionFile
  findDocumentId: (pageId: string) => string
}

const otherHalf: Readonly<Record<Half, Half>> = { choose: 'confirm', confirm: 'choose' }

/** Learns as a run of test questions does. */
async function learn({ server, channelId, file, findDocumentId }: Options, half: Half) {
  const { answerable, unrelated } = selectQuestions(file, half)
  const matches = { answerable: [] as number[], unanswerable: [] as number[] }
  for (const { pageId, question } of answerable) {
    const found = await findTopPassages(server.app.deps, channelId, question, 10)
    if (found.some(({ documentId }) => documentId === findDocumentId(pageId)))
      matches.answerable.push(Math.max(...found.map(({ match }) => match)))
  }
  for (const question of unrelated) {
    const found = await findTopPassages(server.app.deps, channelId, question, 10)
    matches.unanswerable.push(Math.max(0, ...found.map(({ match }) => match)))
  }
  return learnMinMatch(matches)
}

export async function scoreLearnedLimit(options: Options, learnedFrom: Half): Promise<LearnedLimit> {
  const { server, channelId, file } = options
  const minMatch = await learn(options, learnedFrom)
  async function countRefusals(questions: readonly string[]): Promise<Share> {
    let refused = 0
    for (const question of questions) {
      const { mode } = await ask(server.app.deps, { channelId, question, minMatch })
      if (mode === 'refusal') refused += 1
    }
    return { questions: questions.length, refused }
  }
  const { answerable, unrelated } = selectQuestions(file, otherHalf[learnedFrom])
  return {
    minMatch,
    learnedFrom,
    answerable: await countRefusals(answerable.map(({ question }) => question)),
    unrelated: await countRefusals(unrelated),
  }
}
