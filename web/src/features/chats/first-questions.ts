/**
 * Questions from the dashboard by the id of their new chat, which sends them once it has loaded. They are kept in memory
 * only, so that a reload cannot send one again; the draft of the chat has the text, too.
 */
const questions = new Map<string, string>()

export function setFirstQuestion(chatId: string, question: string): void {
  questions.set(chatId, question)
}

/** Returns each question only once. */
export function takeFirstQuestion(chatId: string): string | null {
  const question = questions.get(chatId) ?? null
  questions.delete(chatId)
  return question
}
