import type { Generated } from 'kysely'
import type { Flag } from './column.ts'

export interface ChatsTable {
  id: string
  user_id: string
  channel_id: string
  title: string | null
  /**
   * Where an automatic title comes from: the first question, a model, or the question until a model has answered
   * (`pending`). Null for a title that the user chose, and without a title.
   */
  title_source: 'question' | 'pending' | 'model' | null
  active_leaf_id: string | null
  message_count: number
  last_message_role: string | null
  last_message_preview: string | null
  last_message_at: number | null
  /**
   * The thread that an external assistant stores for the chat, and the last reply in it. `thread_leaf_id` is null while
   * a reply is being written, because the content of the thread is then unknown.
   */
  thread_id: string | null
  thread_assistant_id: string | null
  thread_leaf_id: string | null
  is_pinned: Generated<Flag>
  /** The link for other members of the channel, and the last message, title and time of the part that they see. */
  share_id: string | null
  share_leaf_id: string | null
  share_title: string | null
  shared_at: number | null
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
  /** The state of a reply; null for a user's message. */
  state: 'streaming' | 'complete' | 'stopped' | 'interrupted' | 'failed' | null
  mode: 'model' | 'extractive' | 'refusal' | null
  /** JSON list of citations without `available`. */
  citations: string | null
  /** Whether the channel had documents to answer from; null for a message, and where no documents are used. */
  has_documents: Flag | null
  /** Citations that were removed because their passages do not support them; null if none were. */
  removed_citations: number | null
  /** Citations that are shown although the model that should confirm them gave no verdict; null if none are. */
  unchecked_citations: number | null
  requested_model: string | null
  actual_model: string | null
  error: string | null
  last_event: number
  /** While a reply runs: the node that writes it, and when its lease expires. */
  lease_owner: string | null
  lease_until: number | null
  /** The user for whom a reply is written; null for a message, and for replies of earlier versions of Lyceum. */
  asked_by: string | null
  idempotency_key: string | null
  created_at: number
}

/** A file that the owner of a chat attached to a message: features/chats/attachments. */
export interface AttachmentsTable {
  id: string
  chat_id: string
  /** The message it was sent with; null until it is sent. */
  message_id: string | null
  name: string
  kind: 'pdf' | 'doc' | 'docx' | 'txt' | 'png' | 'jpeg' | 'webp' | 'gif'
  file_key: string
  file_size: number
  sha256: string
  pages: number | null
  /** Of all its passages, short ones counted as if they were longer. */
  tokens: number
  created_at: number
  /** The extracted text, and its blocks as JSON. */
  text: string
  blocks: string
}

/** The passages of an attachment. Columns as in `passages`. */
export interface AttachmentPassagesTable {
  attachment_id: string
  ordinal: number
  page: number | null
  page_turns: string
  heading_path: string
  char_start: number
  char_end: number
  text: string
  /** The stemmed content words of the name, headings and text, separated by spaces. */
  terms: string
  tokens: number
}

/** The rating of a reply by the owner of the chat. */
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
  purpose: 'answer' | 'rewrite' | 'title' | 'rerank' | 'judge' | 'embed'
  requested_model: string
  actual_model: string
  input: number
  cached: number
  cache_write: number
  output: number
  reasoning: number
  /** In millionths of the currency unit; null if the price is unknown. */
  cost: number | null
  estimated: Flag
  created_at: number
}

/** Messages and chat titles that the message index has to process. Filled by triggers. */
export interface MessageChangesTable {
  n: Generated<number>
  message_seq: number | null
  chat_id: string | null
}

/** Numbers of chats and messages of a user or a channel. A view on PostgreSQL. */
export interface ChatTotalsTable {
  id: string
  chats: number
  messages: number
  last_activity_at: number
}

/** Leases of running chat history exports: one per user at a time. */
export interface HistoryExportsTable {
  user_id: string
  /** New for every export. An export that lost its lease cannot continue. */
  fence: string
  lease_until: number
}
