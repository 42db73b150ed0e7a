import type { Generated } from 'kysely'

/**
 * The whole data model. Ids are UUIDv7 text, times integer milliseconds, flags 0 or 1, JSON is text: the same
 * on SQLite and PostgreSQL, so that one set of queries serves both (docs/decisions/0003).
 */
export interface Database {
  users: UsersTable
  sessions: SessionsTable
  sign_in_counters: SignInCountersTable
  attempts: AttemptsTable
  sign_in_challenges: SignInChallengesTable
  trusted_browsers: TrustedBrowsersTable
  known_browsers: KnownBrowsersTable
  password_resets: PasswordResetsTable
  invitations: InvitationsTable
  settings: SettingsTable
  channels: ChannelsTable
  channel_members: ChannelMembersTable
  assistant_presets: AssistantPresetsTable
  documents: DocumentsTable
  document_versions: DocumentVersionsTable
  passages: PassagesTable
  embeddings: EmbeddingsTable
  test_questions: TestQuestionsTable
  test_runs: TestRunsTable
  test_run_leases: TestRunLeasesTable
  chats: ChatsTable
  messages: MessagesTable
  llm_usage: LlmUsageTable
  jobs: JobsTable
  removed_files: RemovedFilesTable
}

type Flag = 0 | 1

interface UsersTable {
  id: string
  email: string
  name: string
  role: 'admin' | 'user'
  is_system_admin: Flag
  /** JSON of the flags the system administrator changed for this administrator. */
  permission_overrides: string | null
  password_hash: string
  /** Both null while the person follows the global settings. */
  two_factor_days: number | null
  two_factor_enabled: Flag | null
  /** Raised to forget every trusted browser at once. */
  two_factor_epoch: Generated<number>
  /** The next sign-in needs a code, whatever the settings say. */
  must_verify: Generated<Flag>
  last_seen_at: number | null
  /** Set on what is left of a deleted person whose chats are retained; such a row is in no list. */
  deleted_at: number | null
  created_at: number
}

interface SessionsTable {
  id: string
  user_id: string
  created_at: number
  last_seen_at: number
  expires_at: number
  ip: string
  user_agent: string
  /** What opened it. */
  method: Generated<'password' | 'code' | 'trusted-browser' | 'reset-link'>
  /** The trusted browser it was opened in. */
  browser_id: string | null
}

/** Failed sign-ins by address and e-mail, known or not: features/auth/throttle.ts. */
interface SignInCountersTable {
  key: string
  failures: number
  window_started_at: number
  last_failure_at: number
}

/** What happened how often lately: features/auth/attempts.ts. */
interface AttemptsTable {
  id: string
  key: string
  at: number
}

/** Between password and code. The cookie in the browser is the only copy of the secret. */
interface SignInChallengesTable {
  id: string
  secret_hash: string
  user_id: string
  code_hash: string
  tries: number
  ip: string
  user_agent: string
  sent_at: number
  expires_at: number
}

/** Browsers in which a code was entered; the second factor is remembered there. */
interface TrustedBrowsersTable {
  id: string
  token_hash: string
  user_id: string
  epoch: number
  ip: string
  user_agent: string
  created_at: number
  last_used_at: number
}

/** Browsers a person has signed in with before: no outsider can slow them down, and no notice is sent. */
interface KnownBrowsersTable {
  token_hash: string
  user_id: string
  created_at: number
  last_used_at: number
}

interface PasswordResetsTable {
  id: string
  token_hash: string
  user_id: string
  created_at: number
  expires_at: number
  /** Kept for a while after its use, so that whoever holds the link reads what became of it. */
  used_at: number | null
}

interface InvitationsTable {
  id: string
  /** Empty only for a set-up invitation whose first person types their own address. */
  email: string
  full_name: string
  token_hash: string
  status: 'pending' | 'accepted'
  is_setup: Flag
  invited_by: string | null
  /** JSON list of channel ids. */
  allowed_channels: string
  two_factor_days: number
  two_factor_enabled: Flag
  created_at: number
  expires_at: number
  accepted_at: number | null
  /** Of the call that made it, so that the same call again makes no second one. */
  idempotency_key: string | null
}

interface SettingsTable {
  key: string
  /** JSON. */
  value: string
  updated_at: number
}

interface ChannelsTable {
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
  created_at: number
  updated_at: number
}

interface ChannelMembersTable {
  channel_id: string
  user_id: string
  is_admin: Flag
  created_at: number
}

/** Ready-made assistants of our own. */
interface AssistantPresetsTable {
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

interface DocumentsTable {
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

interface DocumentVersionsTable {
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

interface PassagesTable {
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
interface EmbeddingsTable {
  model: string
  text_hash: string
  vector: Buffer
  created_at: number
}

/** What should be found in a channel: features/documents/test-questions.ts. */
interface TestQuestionsTable {
  id: string
  channel_id: string
  question: string
  /** JSON list of document ids. */
  expected: string
  created_at: number
  updated_at: number
}

interface TestRunsTable {
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
interface TestRunLeasesTable {
  channel_id: string
  owner: string
  lease_until: number
}

interface ChatsTable {
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

interface MessagesTable {
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

interface LlmUsageTable {
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

interface JobsTable {
  id: string
  name: string
  payload: string
  /** 'failed' rows stay until someone looks; finished ones are deleted, of repeating ones when their slot is over. */
  state: 'waiting' | 'running' | 'failed' | 'done'
  attempts: number
  run_at: number
  lease_until: number | null
  /** The node that works on it or did. */
  owner: string | null
  /** Changes with every claim: a runner whose lease was lost can no longer finish the job. */
  fence: string | null
  last_error: string | null
  created_at: number
}

/** Files nothing refers to any more; they leave the disk after a day, so that a running backup stays whole. */
interface RemovedFilesTable {
  file_key: string
  removed_at: number
}
