import type { AnswerChange, DocumentChange, TestQuestion } from '@lyceum/contract/test-questions'
import { uuidv7 } from 'uuidv7'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import {
  type DocumentTrial,
  requireChangeable,
  tryDocumentChange,
} from '../documents/indexing/document-trial.ts'
import { evaluateQuestion } from './evaluate-question.ts'
import { findMinMatch } from './test-bench-store.ts'
import { createLeaseKeeper, withTestLease } from './test-lease.ts'
import { listPresentedQuestions } from './test-questions.ts'

function describeChange(before: { isPassed: boolean }, after: { isPassed: boolean }): AnswerChange['change'] {
  if (before.isPassed === after.isPassed) return 'same'
  return after.isPassed ? 'gained' : 'lost'
}

interface Comparison {
  actor: Actor
  trial: DocumentTrial
  minMatch: number | null
}

/** Returns null if the question is answered as before. */
async function compareAnswers(
  deps: Deps,
  { actor, trial, minMatch }: Comparison,
  question: TestQuestion,
): Promise<AnswerChange | null> {
  const search = { actor, channelId: trial.channelId }
  const before = await evaluateQuestion(deps, search, question, minMatch)
  const after = await evaluateQuestion(deps, { ...search, trial }, question, minMatch)
  const change = describeChange(before, after)
  const hasSameAnswer = JSON.stringify(before.answer) === JSON.stringify(after.answer)
  if (change === 'same' && hasSameAnswer) return null
  return {
    questionId: question._id,
    question: question.question,
    change,
    before: before.answer,
    after: after.answer,
  }
}

/** Lists the test questions that are answered differently once a document is approved or removed. */
export async function compareDocumentChange(
  deps: Deps,
  actor: Actor,
  documentId: string,
  change: DocumentChange,
): Promise<{ total: number; changes: AnswerChange[] }> {
  const document = await requireChangeable(deps, documentId, change)
  const channelId = document.channel_id
  const questions = await listPresentedQuestions(deps, channelId)
  if (questions.length === 0) return { total: 0, changes: [] }
  // Before the document is read, so that only one is at a time.
  return withTestLease(deps, { id: channelId, owner: uuidv7() }, (lease) =>
    tryDocumentChange(deps, document, change, async (trial) => {
      const keepLease = createLeaseKeeper(deps, lease)
      const comparison = { actor, trial, minMatch: await findMinMatch(deps.db, channelId) }
      const changes: AnswerChange[] = []
      for (const question of questions) {
        await keepLease()
        const found = await compareAnswers(deps, comparison, question)
        if (found) changes.push(found)
      }
      return { total: questions.length, changes }
    }),
  )
}
