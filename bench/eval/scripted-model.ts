import type { ChatModel, ModelRequest } from '../../server/src/providers/assistant/port.ts'
import {
  createAnswerText,
  createVerdicts,
  isCheckRequest,
} from '../../server/src/testing/model-stand-in/answers.ts'
import type { AnswerStyle, Behavior } from '../../server/src/testing/model-stand-in/behavior.ts'
import { readConversation } from '../../server/src/testing/model-stand-in/conversation.ts'

/** The stand-in's behaviors, and two that only this evaluation needs. */
export type Style = AnswerStyle | 'alters-numbers' | 'from-memory'

export interface ScriptedModel {
  chat: ChatModel
  /** The prompt, the sources and the text of its last answer. */
  lastPrompt(): string
  lastSources(): ReadonlyMap<number, string>
  lastText(): string
}

function toRequestBody({ turns }: ModelRequest): Record<string, unknown> {
  return { messages: turns }
}

/** Repeats the question as a statement, adds an invented fact and cites the first source. */
function answerFromMemory(question: string): string {
  return `${question
    .replace(/[?!.]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()} was settled by a committee of beekeepers [1].`
}

/** Increments every number except those of citations. */
function alterNumbers(text: string): string {
  return text.replace(/(?<![[\d.,])\d+(?![\d\]])/g, (digits) => String(Number(digits) + 1))
}

function writeAnswer(style: Style, request: ModelRequest): string {
  const { question, sources } = readConversation(toRequestBody(request))
  if (style === 'from-memory')
    return sources.size === 0 ? `${question} I do not know.` : answerFromMemory(question)
  if (style === 'alters-numbers') return alterNumbers(createAnswerText('grounded', toRequestBody(request)))
  return createAnswerText(style, toRequestBody(request))
}

/** A request to rewrite a question gets that question back unchanged, because rewriting is not evaluated here. */
function isRewrite({ turns }: ModelRequest): boolean {
  return turns[0]?.content.startsWith('Rewrite ') ?? false
}

/**
 * The tests' model stand-in behind our own interface, without a socket. The same request always gets the same text. When
 * it checks citations, it rejects the sentences that contain `rejects`.
 */
export function createScriptedModel(style: Style, judge: Pick<Behavior, 'rejects'> = {}): ScriptedModel {
  let prompt = ''
  let sources: ReadonlyMap<number, string> = new Map()
  let text = ''
  const chat: ChatModel = {
    resolve: () => ({ actual: style, note: null, takesPictures: false }),
    withModelMap: () => chat,
    async *reply(request) {
      const usage = { input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0, estimated: true }
      if (isRewrite(request)) {
        yield { type: 'text', text: readConversation(toRequestBody(request)).question }
      } else if (isCheckRequest(toRequestBody(request))) {
        yield { type: 'text', text: createVerdicts(toRequestBody(request), judge) }
      } else {
        prompt = request.turns.map(({ content }) => content).join('\n')
        sources = readConversation(toRequestBody(request)).sources
        text = writeAnswer(style, request)
        yield { type: 'text', text }
      }
      yield { type: 'finish', reason: 'stop', usage }
    },
  }
  return {
    chat,
    lastPrompt: () => prompt,
    lastSources: () => sources,
    lastText: () => text,
  }
}
