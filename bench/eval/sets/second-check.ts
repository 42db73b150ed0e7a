import type { Deps } from '../../../server/src/deps.ts'
import { estimateTokens } from '../../../server/src/providers/assistant/estimate-tokens.ts'
import type { ModelCall } from '../../../server/src/providers/assistant/model-calls.ts'
import { ask } from '../ask.ts'
import { createScriptedModel } from '../scripted-model.ts'
import { findCitationNumbers } from './citations.ts'

export interface SecondCheckScore {
  /** What the scripted model says about every citation; it is not asked when the check is off. */
  judge: 'off' | 'confirms' | 'rejects'
  channel: 'open' | 'strict'
  answers: number
  shown: number
  checks: number
  /** Estimated, of requests and replies. */
  answerTokens: number
  checkTokens: number
}

function sumTokens(calls: readonly ModelCall[], purpose: ModelCall['purpose']): number {
  return calls
    .filter((call) => call.purpose === purpose)
    .reduce(
      (sum, { promptText, answerText }) => sum + estimateTokens(promptText) + estimateTokens(answerText),
      0,
    )
}

/** What the second check of citations does and costs, for a model that quotes. It says nothing about real models. */
export async function measureSecondCheck(
  deps: Deps,
  channelId: string,
  questions: readonly string[],
): Promise<SecondCheckScore[]> {
  const scores: SecondCheckScore[] = []
  for (const judge of ['off', 'confirms', 'rejects'] as const)
    for (const channel of ['open', 'strict'] as const) {
      const score = { judge, channel, answers: 0, shown: 0, checks: 0, answerTokens: 0, checkTokens: 0 }
      for (const question of questions) {
        const { text, calls } = await ask(deps, {
          ...{ channelId, question, isStrict: channel === 'strict', checksCitations: judge !== 'off' },
          model: createScriptedModel('grounded', judge === 'rejects' ? { rejects: '' } : {}),
        })
        score.answers += 1
        score.shown += findCitationNumbers(text).length
        score.checks += calls.filter(({ purpose }) => purpose === 'judge').length
        score.answerTokens += sumTokens(calls, 'answer')
        score.checkTokens += sumTokens(calls, 'judge')
      }
      scores.push(score)
    }
  return scores
}
