import type { HistoryTurn } from '#providers/assistant/turns.ts'
import { countContentWords, splitWrittenWords } from './terms.ts'

/** Words with which a question refers to earlier messages. */
const pronouns = new Set(
  (
    'it its itself they them their theirs that this those these he she him her his hers one ones there then same such ' +
    'former latter above es sie ihn ihm ihr ihre dessen deren dies diese dieser dieses dort il elle ils elles cela ça ' +
    'celui celle ello esto eso esta ese esos'
  ).split(' '),
)
const minContentWords = 3

/** Whether a question can be understood only together with the earlier ones. */
export function isDependent(question: string): boolean {
  return (
    countContentWords(question) < minContentWords ||
    splitWrittenWords(question.toLowerCase()).some((word) => pronouns.has(word))
  )
}

/** The last question of a conversation that has content words. */
export function findEarlierQuestion(history: readonly HistoryTurn[]): string | undefined {
  const earlier = history.findLast(({ role, content }) => role === 'user' && countContentWords(content) > 0)
  return earlier?.content.slice(0, 1000)
}

/** The earlier question that gives a dependent one its context. Undefined for a self-contained question. */
export function findContextQuestion(question: string, history: readonly HistoryTurn[]): string | undefined {
  return isDependent(question) ? findEarlierQuestion(history) : undefined
}
