import type { ReplyMode } from '@lyceum/contract/chats'
import type { Deps } from '../../server/src/deps.ts'
import { streamAnswer } from '../../server/src/features/answering/answer.ts'
import type { AnswerPart } from '../../server/src/features/answering/answer-parts.ts'
import type { ModelCall } from '../../server/src/providers/assistant/model-calls.ts'
import type { ScriptedModel } from './scripted-model.ts'
import { newId } from './server.ts'

export interface HistoryTurn {
  role: 'user' | 'assistant'
  content: string
}

export interface AskOptions {
  channelId: string
  question: string
  isStrict?: boolean
  history?: readonly HistoryTurn[]
  /** The channel's own limit. */
  minMatch?: number | null
  /** Without a model the built-in extractive assistant answers. */
  model?: ScriptedModel | null
  /** Whether the model also confirms the citations. */
  checksCitations?: boolean
}

type Citation = Extract<AnswerPart, { type: 'citation' }>['citation']

export interface Reply {
  text: string
  mode: ReplyMode | null
  citations: Citation[]
  calls: ModelCall[]
}

/** Answers a question as the server does for a member, including the checks of the answer. */
export async function ask(
  deps: Deps,
  {
    channelId,
    question,
    isStrict = false,
    history = [],
    minMatch = null,
    model = null,
    checksCitations = false,
  }: AskOptions,
): Promise<Reply> {
  const reply: Reply = { text: '', mode: null, citations: [], calls: [] }
  const parts = streamAnswer(
    { ...deps, assistant: { chat: model?.chat ?? null, embedder: null, reranker: null, external: null } },
    {
      channel: {
        id: channelId,
        system_prompt: '',
        llm_model: 'gpt-4o',
        strict_documents_only: isStrict ? 1 : 0,
        check_citations: checksCitations ? 1 : 0,
        use_assistant: 0,
        assistant_id: '',
        min_match: minMatch,
      },
      chatId: newId(),
      parentId: null,
      userId: newId(),
      messageId: newId(),
      question,
      pictures: { sent: [], omitted: [] },
      history,
      interrupted: null,
      attached: { hasFiles: false, passages: [] },
      signal: AbortSignal.timeout(60_000),
      calls: reply.calls,
    },
  )
  for await (const part of parts) {
    if (part.type === 'text') reply.text += part.text
    else if (part.type === 'citation') reply.citations.push(part.citation)
    else if (part.type === 'mode') reply.mode = part.mode
  }
  return reply
}
