/**
 * Questions that were asked before their chat was shown, by the id of the new chat, or of a new visitor who has no chat
 * yet. The chat sends them once it has loaded. They are kept in memory only, so that a reload cannot send one again.
 * The draft of a new chat has its question, too.
 */
const questions = new Map<string, string>()

export function setFirstQuestion(chatOrVisitorId: string, question: string): void {
  questions.set(chatOrVisitorId, question)
}

export function hasFirstQuestion(chatOrVisitorId: string): boolean {
  return questions.has(chatOrVisitorId)
}

/** Returns each question only once. */
export function takeFirstQuestion(chatOrVisitorId: string): string | null {
  const question = questions.get(chatOrVisitorId) ?? null
  questions.delete(chatOrVisitorId)
  return question
}
