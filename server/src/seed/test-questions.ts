import type { Actor } from '../actor.ts'
import type { Deps } from '../deps.ts'
import { listMatchingDocuments } from '../features/documents/documents.ts'
import { runTestQuestions } from '../features/test-bench/test-bench.ts'
import { addTestQuestion } from '../features/test-bench/test-questions.ts'

/** The search fails for the last question, because the file with its answer is damaged. */
const questions = [
  ['How many days of vacation do I have?', 'Employee handbook'],
  ['May I accept a gift from a supplier?', 'Employee handbook'],
  ['What is the daily allowance for Norway?', 'Travel policy'],
  ['Who leads the purchasing department?', 'Organisation chart'],
] as const

/** Adds test questions to a channel and runs them once. */
export async function addTestQuestions(deps: Deps, owner: Actor, channelId: string): Promise<void> {
  const listed = await listMatchingDocuments(deps, { channelId, status: 'approved' })
  const documents = Array.isArray(listed) ? listed : listed.items
  for (const [question, title] of questions) {
    const expectedDocumentIds = documents.filter((document) => document.title === title).map(({ _id }) => _id)
    await addTestQuestion(deps, owner, channelId, { question, expectedDocumentIds })
  }
  await runTestQuestions(deps, owner, channelId, 'After the first upload')
}
