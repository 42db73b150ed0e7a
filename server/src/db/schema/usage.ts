import type { Generated } from 'kysely'

/**
 * How many replies began within each range of waiting time for the first word. features/analytics/waits.ts defines the
 * ranges.
 */
type WaitColumn = `wait_${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11}`

export interface UsageCounts extends Record<WaitColumn, number> {
  /** Distinct users who asked something on that day; counted in the row whose model is empty. */
  people: number
  /**
   * `messages` counts new messages; `asked` counts every request for a reply, including edits and regenerations. Both
   * are counted in the row whose model is empty.
   */
  messages: number
  asked: number
  /** Finished replies, and how they ended. */
  replies: number
  refusals: number
  failures: number
  quoted: number
  input_tokens: number
  output_tokens: number
  good: number
  bad: number
  /** Model calls that checked citations, and their tokens, which `input_tokens` and `output_tokens` contain too. */
  checks: number
  check_tokens: number
  /** Citations with a verdict, those of them that were removed, and those without one that were shown. */
  checked_citations: number
  unconfirmed_citations: number
  unchecked_citations: number
}

type CountColumns = { [Column in keyof UsageCounts]: Generated<number> }

/**
 * Daily usage, counted in the transaction of each action so that no page scans messages. No column references other
 * tables: the figures stay when a user, a channel or a chat is deleted. Days are UTC days, such as `2026-11-21`.
 */
export interface UsageDaysTable extends CountColumns {
  /** '' holds the sum of all channels. */
  channel_id: string
  day: string
  /** The model that answered; empty for requests, whose model is not known yet, and for replies without a model. */
  model: string
  /** The counts of a busy day are divided into several rows: add them up. See decision 0043. */
  slot: Generated<number>
}

/** Requests and tokens per user and day: for quotas, and to count each user once. */
export interface UsagePeopleTable {
  /** '' holds the sum of all channels. */
  channel_id: string
  user_id: string
  day: string
  asked: number
  tokens: number
}

/** What visitors of a channel did on a day: for their limits. Rows of earlier days are deleted. */
export interface VisitorDaysTable {
  channel_id: string
  /** '' holds the sum of all visitors of the channel. */
  visitor_id: string
  /** A UTC day. */
  day: string
  /** New visitors. */
  arrived: number
  /** Requests for a reply. */
  asked: number
}

export interface CitationDaysTable {
  channel_id: string
  document_id: string
  day: string
  /** As in `usage_days`. */
  slot: Generated<number>
  citations: number
}

/** Questions that the documents did not answer, for editors to review. */
export interface UnansweredQuestionsTable {
  message_id: string
  channel_id: string
  asked_at: number
  reason: 'no-documents' | 'nothing-found' | 'not-supported' | 'without-passage'
  resolved_at: number | null
  resolved_by: string | null
}

/** Quotas; null means no limit. A user without a row has the default quota. */
export interface QuotasTable {
  /** 'everybody' for the default quota, or the id of the user or channel. */
  id: string
  user_id: string | null
  channel_id: string | null
  messages_per_day: number | null
  tokens_per_month: number | null
  updated_at: number
}
