import type { Generated } from 'kysely'
import type { Flag } from './column.ts'

export interface ChannelsTable {
  id: string
  name: string
  description: string
  avatar: string | null
  wallpaper_file: string | null
  system_prompt: string
  llm_model: string
  strict_documents_only: Flag
  use_assistant: Flag
  assistant_id: string
  /** Members may put documents forward; never on a ready-made assistant channel. */
  allow_proposals: Generated<Flag>
  /** For how many days chats are kept after their last message; null follows what holds everywhere. */
  retention_days: number | null
  created_at: number
  updated_at: number
}

export interface ChannelMembersTable {
  channel_id: string
  user_id: string
  is_admin: Flag
  created_at: number
}

/** Ready-made assistants of our own. */
export interface AssistantPresetsTable {
  id: string
  /** The key by which channels name it. */
  assistant_id: string
  name: string
  description: string
  instructions: string
  /** A label: docs/answers.md, "Models". */
  model: string
  /** JSON. */
  options: string
  created_at: number
  updated_at: number
}

export interface DocumentsTable {
  id: string
  channel_id: string
  title: string
  description: string
  original_name: string
  status: 'pending' | 'approved' | 'rejected'
  /** The version that is reviewed and shown: the newest, unless it was rejected and an approved one stands. */
  version_id: string
  /** The version approved last: the one to be indexed, also while a later one waits for its review. */
  approved_version_id: string | null
  /** The build of passages that answers; null until one is ready. */
  generation: string | null
  /** The version of that build; behind the approved one while that one's build is made. */
  answering_version_id: string | null
  /** Put forward by a member. */
  is_proposal: Generated<Flag>
  /** Of the first version. */
  uploaded_by: string | null
  /** The last decision that stands. */
  reviewed_by: string | null
  reviewed_at: number | null
  idempotency_key: string | null
  created_at: number
  updated_at: number
}

export interface DocumentVersionsTable {
  id: string
  document_id: string
  number: number
  /** Still 'pending' on one that a later version took the place of before its review. */
  status: 'pending' | 'approved' | 'rejected'
  original_name: string
  uploaded_by: string | null
  reviewed_by: string | null
  reviewed_at: number | null
  /** Since when its file is no longer kept; so with a rejected version of an approved document. */
  released_at: number | null
  idempotency_key: string | null
  kind: 'pdf' | 'doc' | 'docx' | 'txt'
  file_key: string
  file_size: number
  sha256: string
  index_state: 'none' | 'waiting' | 'extracting' | 'embedding' | 'ready' | 'failed'
  index_percent: number
  index_attempts: number
  /** In words. */
  index_reason: string | null
  /** The extracted text and, as JSON, its blocks; null until it was read. */
  text: string | null
  blocks: string | null
  pages: number | null
  created_at: number
}

export interface PassagesTable {
  id: string
  generation: string
  document_id: string
  version_id: string
  channel_id: string
  ordinal: number
  page: number | null
  /** JSON list of `[offset in the text, page]`, where the passage runs on into another page. */
  page_turns: Generated<string>
  /** JSON list. */
  heading_path: string
  char_start: number
  char_end: number
  text: string
  tokens: number
}

/** Kept by what was embedded, so that a rebuild of the index never calls the model. */
export interface EmbeddingsTable {
  model: string
  text_hash: string
  vector: Buffer
  created_at: number
}

/** What should be found in a channel: features/documents/test-bench/test-questions.ts. */
export interface TestQuestionsTable {
  id: string
  channel_id: string
  question: string
  /** JSON list of document ids. */
  expected: string
  created_at: number
  updated_at: number
}

export interface TestRunsTable {
  id: string
  channel_id: string
  ran_at: number
  note: string
  total: number
  found: number
  mean_rank: number | null
  /** JSON, with the names and words of that day. */
  results: string
}

/** A channel's questions are run by one at a time, whichever node it is. */
export interface TestRunLeasesTable {
  channel_id: string
  owner: string
  lease_until: number
}
