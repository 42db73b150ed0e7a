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
  /** Whether a model confirms each citation. Never set on a channel with a ready-made assistant. */
  check_citations: Generated<Flag>
  use_assistant: Flag
  assistant_id: string
  /** Whether members may propose documents. Never set on a channel with a ready-made assistant. */
  allow_proposals: Generated<Flag>
  /** Whether members can attach files to their questions. */
  allow_attachments: Generated<Flag>
  /** The retention period in days; null applies the global setting. */
  retention_days: number | null
  /** JSON list; null if none are set. */
  starter_questions: string | null
  /** How well a passage must match a question, 0 to 1, learned from the test questions. Null applies the usual limit. */
  min_match: number | null
  /** Null while the channel is in use. */
  archived_at: number | null
  created_at: number
  updated_at: number
}

export interface ChannelMembersTable {
  channel_id: string
  user_id: string
  is_admin: Flag
  created_at: number
}

/** Our own ready-made assistants, as opposed to those of an external endpoint. */
export interface AssistantPresetsTable {
  id: string
  /** The id by which channels refer to it. */
  assistant_id: string
  name: string
  description: string
  instructions: string
  /** A model label: docs/answers.md, "Models". */
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
  /** The version that is shown and reviewed: the newest one, unless that was rejected and an approved one exists. */
  version_id: string
  /** The latest approved version. It is indexed even while a newer one waits for review. */
  approved_version_id: string | null
  /** The index generation used in answers; null until one is ready. */
  generation: string | null
  /** The version of that generation. It is older than the approved one while the approved one is being indexed. */
  answering_version_id: string | null
  /** Proposed by a member. */
  is_proposal: Generated<Flag>
  /** The uploader of the first version. */
  uploaded_by: string | null
  /** The reviewer of the last decision that is still in effect. */
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
  /** Stays 'pending' if a newer version replaced this one before its review. */
  status: 'pending' | 'approved' | 'rejected'
  original_name: string
  uploaded_by: string | null
  reviewed_by: string | null
  reviewed_at: number | null
  /** Why it was rejected, for its uploader. */
  rejection_reason: string | null
  /** When its file was released for deletion, as happens to a rejected version of an approved document. */
  released_at: number | null
  idempotency_key: string | null
  kind: 'pdf' | 'doc' | 'docx' | 'txt'
  file_key: string
  file_size: number
  sha256: string
  index_state: 'none' | 'waiting' | 'extracting' | 'embedding' | 'ready' | 'failed'
  index_percent: number
  index_attempts: number
  /** Why indexing failed, as a sentence for the user. */
  index_reason: string | null
  /** The extracted text, and its blocks as JSON; null until the file has been read. */
  text: string | null
  blocks: string | null
  pages: number | null
  /** JSON list of the pages that were left out because reading them took too much time or memory. */
  unread_pages: string | null
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
  /** JSON list of `[offset in the text, page]`, one for each further page on which the passage continues. */
  page_turns: Generated<string>
  /** JSON list. */
  heading_path: string
  char_start: number
  char_end: number
  text: string
  tokens: number
}

/** Keyed by the embedded text, so that rebuilding the index never calls the model. */
export interface EmbeddingsTable {
  model: string
  text_hash: string
  vector: Buffer
  created_at: number
}

/** Questions that a search in the channel should answer: features/documents/test-bench/test-questions.ts. */
export interface TestQuestionsTable {
  id: string
  channel_id: string
  question: string
  /** JSON list of document ids. */
  expected: string
  /** JSON list of texts. */
  must_contain: Generated<string>
  /** JSON list of texts. */
  must_not_contain: Generated<string>
  /** Whether the documents do not answer it, so that it should be refused. */
  is_unanswerable: Generated<Flag>
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
  /** JSON, with the document names and texts at the time of the run. */
  results: string
}

/** Lets only one node run the test questions of a channel at a time. */
export interface TestRunLeasesTable {
  channel_id: string
  owner: string
  lease_until: number
}
