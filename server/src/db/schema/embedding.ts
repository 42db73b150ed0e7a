import type { Flag } from './column.ts'

/** On which other sites channels can be used. A channel without a row is not embedded. */
export interface ChannelEmbeddingsTable {
  channel_id: string
  /** JSON list of origins. */
  sites: string
  allows_visitors: Flag
  visitor_messages_per_day: number
  channel_visitor_messages_per_day: number
}

/**
 * Sign-ins on other sites, which give access to one channel. They are no rows of `sessions`: an earlier version that
 * runs during an upgrade would accept those for everything.
 */
export interface EmbeddedSignInsTable {
  id: string
  token_hash: string
  user_id: string
  channel_id: string
  /** An origin. */
  site: string
  /** Of the session that allowed it: with which identity the user signed in; null without single sign-on. */
  identity_id: string | null
  /** Of the session that allowed it: the issuer's id of its own session. */
  issuer_session: string | null
  ip: string
  user_agent: string
  created_at: number
  last_seen_at: number
  expires_at: number
}
