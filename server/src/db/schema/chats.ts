import type { Generated } from 'kysely'
import type { Flag } from './column.ts'

export interface ChatsTable {
  id: string
  user_id: string
  channel_id: string
  title: string | null
  active_leaf_id: string | null
  message_count: number
  last_message_role: string | null
  last_message_preview: string | null
  last_message_at: number | null
  /**
   * The conversation as an external assistant keeps it, and the reply it ends with. The latter is null while one is
   * being written: whoever comes then cannot know what the thread holds.
   */
  thread_id: string | null
  thread_assistant_id: string | null
  thread_leaf_id: string | null
  created_at: number
  updated_at: number
}

export interface MessagesTable {
  id: string
  seq: Generated<number>
  chat_id: string
  parent_id: string | null
  role: 'user' | 'assistant' | 'system'
  content: string
  /** Of a reply; null for a person's message. */
  state: 'streaming' | 'complete' | 'stopped' | 'interrupted' | 'failed' | null
  mode: 'model' | 'extractive' | 'refusal' | null
  /** JSON list of citations without `available`. */
  citations: string | null
  requested_model: string | null
  actual_model: string | null
  error: string | null
  last_event: number
  /** While a reply runs: who writes it, and until when it counts as alive. */
  lease_owner: string | null
  lease_until: number | null
  idempotency_key: string | null
  created_at: number
}

/** What the owner of a chat thinks of a reply in it. */
export interface MessageFeedbackTable {
  message_id: string
  rating: 'good' | 'bad'
  reason: string | null
  comment: string
  created_at: number
  updated_at: number
}

export interface LlmUsageTable {
  id: string
  message_id: string | null
  user_id: string | null
  channel_id: string | null
  purpose: 'answer' | 'rewrite' | 'rerank' | 'judge' | 'embed'
  requested_model: string
  actual_model: string
  input: number
  cached: number
  cache_write: number
  output: number
  reasoning: number
  /** In micro-units of the currency; null when the price is not known. */
  cost: number | null
  estimated: Flag
  created_at: number
}

/** What the index of messages has to look at again: a message or a chat's title. Filled by triggers. */
export interface MessageChangesTable {
  n: Generated<number>
  message_seq: number | null
  chat_id: string | null
}

/** Chats and messages of a person or in a channel; on PostgreSQL a view. */
export interface ChatTotalsTable {
  id: string
  chats: number
  messages: number
  last_activity_at: number
}

/** Who takes the chat history with them at this moment: one export at a time. */
export interface HistoryExportsTable {
  user_id: string
  /** Changes with every export: one whose lease was lost can no longer go on. */
  fence: string
  lease_until: number
}
