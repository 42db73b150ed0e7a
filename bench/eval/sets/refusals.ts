import type { Deps } from '../../../server/src/deps.ts'
import { ask, type HistoryTurn } from '../ask.ts'
import { createScriptedModel, type Style } from '../scripted-model.ts'

/** The setup of a channel: without a model, or strict with one of the scripted models. */
const setups = [
  'extractive',
  'strict, model quotes whatever fits',
  'strict, model answers from memory',
] as const
type Setup = (typeof setups)[number]

const stylesBySetup: Record<Exclude<Setup, 'extractive'>, Style> = {
  'strict, model quotes whatever fits': 'grounded',
  'strict, model answers from memory': 'from-memory',
}

export interface RefusalSet {
  channelId: string
  questions: readonly string[]
}

export interface RefusalScore {
  set: string
  setup: Setup
  turn: 1 | 4
  questions: number
  refused: number
}

/** Three answered questions, as the history of a fourth turn. */
const previousTurns: HistoryTurn[] = [
  'How do I keep my system up to date?',
  'What does the stable directory contain?',
  'How do I report a bug?',
].flatMap((question): HistoryTurn[] => [
  { role: 'user', content: question },
  { role: 'assistant', content: 'This is in the documents of the channel.' },
])

async function isRefused(
  deps: Deps,
  channelId: string,
  question: string,
  setup: Setup,
  turn: 1 | 4,
): Promise<boolean> {
  const { mode } = await ask(deps, {
    channelId,
    question,
    isStrict: setup !== 'extractive',
    history: turn === 1 ? [] : previousTurns,
    model: setup === 'extractive' ? null : createScriptedModel(stylesBySetup[setup]),
  })
  return mode === 'refusal'
}

/** Counts the refusals of each set, by setup and turn. */
export async function countRefusals(
  deps: Deps,
  sets: Readonly<Record<string, RefusalSet>>,
): Promise<RefusalScore[]> {
  const scores: RefusalScore[] = []
  for (const [set, { channelId, questions }] of Object.entries(sets))
    for (const setup of setups)
      for (const turn of [1, 4] as const) {
        let refused = 0
        for (const question of questions)
          if (await isRefused(deps, channelId, question, setup, turn)) refused += 1
        scores.push({ set, setup, turn, questions: questions.length, refused })
      }
  return scores
}
