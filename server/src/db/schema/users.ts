import type { Generated } from 'kysely'
import type { Flag } from './column.ts'

export interface UsersTable {
  id: string
  email: string
  name: string
  role: 'admin' | 'user'
  is_system_admin: Flag
  /** JSON of the permissions that a system administrator changed for this administrator. */
  permission_overrides: string | null
  /** JSON list of the permissions that the user's groups give, which count while the user is an administrator. */
  group_permissions: string | null
  /** Empty if the user has no password. */
  password_hash: string
  /** Both are null while the user follows the global settings. */
  two_factor_days: number | null
  two_factor_enabled: Flag | null
  /** Incremented to invalidate all trusted browsers at once. */
  two_factor_epoch: Generated<number>
  /** The next sign-in needs a one-time code, regardless of the settings. */
  must_verify: Generated<Flag>
  /** The last complete sign-in; the last message of a visitor. */
  last_seen_at: number | null
  /** Set on the anonymized row of a deleted user whose chats are retained. No list shows such a row. */
  deleted_at: number | null
  created_at: number
  /** Can sign in with a password even when that is switched off. */
  is_break_glass: Generated<Flag>
  /** When the user was deactivated. They cannot sign in, but everything of theirs stays. */
  deactivated_at: number | null
  /**
   * The channel of a visitor, who chats there on another site without an account. Null for everyone else. No list of
   * users shows a visitor: db/accounts.ts.
   */
  visitor_channel_id: string | null
}

export interface SessionsTable {
  id: string
  user_id: string
  created_at: number
  last_seen_at: number
  expires_at: number
  ip: string
  user_agent: string
  /** How the user signed in. */
  method: Generated<'password' | 'code' | 'trusted-browser' | 'reset-link' | 'single-sign-on'>
  /** The trusted browser in which the session began. */
  browser_id: string | null
  /** The identity with which the user signed in; null without single sign-on. */
  identity_id: string | null
  /** The issuer's id of its own session. */
  issuer_session: string | null
}

/** Keys with which programs act as a user. */
export interface ApiKeysTable {
  id: string
  user_id: string
  name: string
  key_hash: string
  /** The beginning of the key. */
  prefix: string
  /** JSON list. */
  scopes: string
  /** JSON list of channel ids; null for every channel of the user. */
  channel_ids: string | null
  /** The administrator who created it for the user. */
  created_by: string | null
  created_at: number
  expires_at: number
  last_used_at: number | null
}

/** Keys that an administrator revoked, for a while. */
export interface RevokedApiKeysTable extends Omit<ApiKeysTable, 'key_hash'> {
  revoked_by: string
  revoked_at: number
}

/** Failed sign-ins by IP address and by email address, known or not: features/auth/throttle.ts. */
export interface SignInCountersTable {
  key: string
  failures: number
  window_started_at: number
  last_failure_at: number
}

/** Recent attempts, counted for rate limits: features/auth/attempts.ts. */
export interface AttemptsTable {
  id: string
  key: string
  at: number
}

/** Sign-ins that wait for the one-time code. The cookie in the browser is the only copy of the secret. */
export interface SignInChallengesTable {
  id: string
  secret_hash: string
  user_id: string
  code_hash: string
  tries: number
  ip: string
  user_agent: string
  sent_at: number
  expires_at: number
  /** As in the session that will begin. */
  identity_id: string | null
  issuer_session: string | null
}

/** Browsers in which a one-time code was entered and which need none for a number of days. */
export interface TrustedBrowsersTable {
  id: string
  token_hash: string
  user_id: string
  epoch: number
  ip: string
  user_agent: string
  created_at: number
  last_used_at: number
}

/**
 * Browsers in which the user has signed in before. Other clients cannot slow down sign-in there, and the user gets no
 * email about it.
 */
export interface KnownBrowsersTable {
  token_hash: string
  user_id: string
  created_at: number
  last_used_at: number
}

export interface PasswordResetsTable {
  id: string
  token_hash: string
  user_id: string
  created_at: number
  expires_at: number
  /** The row stays for a while after use, so that opening the link again shows what happened to it. */
  used_at: number | null
}

export interface InvitationsTable {
  id: string
  /** Empty only for the setup invitation if the first user enters their own address. */
  email: string
  full_name: string
  token_hash: string
  status: 'pending' | 'accepted'
  is_setup: Flag
  invited_by: string | null
  role: Generated<'admin' | 'user'>
  /** JSON list of channel ids. */
  allowed_channels: string
  two_factor_days: number
  two_factor_enabled: Flag
  created_at: number
  expires_at: number
  accepted_at: number | null
  /** The key of the request that created it, so that a retry creates no second invitation. */
  idempotency_key: string | null
}
