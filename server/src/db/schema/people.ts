import type { Generated } from 'kysely'
import type { Flag } from './column.ts'

export interface UsersTable {
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

export interface SessionsTable {
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
export interface SignInCountersTable {
  key: string
  failures: number
  window_started_at: number
  last_failure_at: number
}

/** What happened how often lately: features/auth/attempts.ts. */
export interface AttemptsTable {
  id: string
  key: string
  at: number
}

/** Between password and code. The cookie in the browser is the only copy of the secret. */
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
}

/** Browsers in which a code was entered; the second factor is remembered there. */
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

/** Browsers a person has signed in with before: no outsider can slow them down, and no notice is sent. */
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
  /** Kept for a while after its use, so that whoever holds the link reads what became of it. */
  used_at: number | null
}

export interface InvitationsTable {
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
