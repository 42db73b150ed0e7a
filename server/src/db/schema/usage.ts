import type { Generated } from 'kysely'

/** How many replies began within each wait for the first word: features/analytics/waits.ts says the bounds. */
export type WaitColumn = `wait_${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11}`

export interface UsageCounts extends Record<WaitColumn, number> {
  /** Different people who asked something on that day; counted where the model is ''. */
  people: number
  /** New messages of people, and everything a reply was asked for: edits, answers asked for again. Where the model is ''. */
  messages: number
  asked: number
  /** Replies that ended, and how. */
  replies: number
  refusals: number
  failures: number
  quoted: number
  input_tokens: number
  output_tokens: number
  good: number
  bad: number
}

type CountColumns = { [Column in keyof UsageCounts]: Generated<number> }

/**
 * What was used, written with what it counts, so that no screen scans messages. No column refers to other tables:
 * figures stay when a person, a channel or a chat goes. Days are UTC days, `2026-11-21`.
 */
export interface UsageDaysTable extends CountColumns {
  /** '' holds the sum of all channels. */
  channel_id: string
  day: string
  /** The one that answered; '' before that is known and where none was asked. */
  model: string
}

/** Who asked on which day, and what that took: for limits, and for counting people once. */
export interface UsagePeopleTable {
  /** '' holds the sum of all channels. */
  channel_id: string
  user_id: string
  day: string
  asked: number
  tokens: number
}

export interface CitationDaysTable {
  channel_id: string
  document_id: string
  day: string
  citations: number
}

/** Questions that the documents did not answer: the list an editor works through. */
export interface UnansweredQuestionsTable {
  message_id: string
  channel_id: string
  asked_at: number
  reason: 'no-documents' | 'nothing-found' | 'not-supported' | 'without-passage'
  resolved_at: number | null
  resolved_by: string | null
}

/** Limits on use; null is none. A person without a row follows the one for everybody. */
export interface QuotasTable {
  /** 'everybody', or the id of the person or channel. */
  id: string
  user_id: string | null
  channel_id: string | null
  messages_per_day: number | null
  tokens_per_month: number | null
  updated_at: number
}
