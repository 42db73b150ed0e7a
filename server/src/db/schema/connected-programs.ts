/** Programs that registered themselves. Anyone can register one, so a name proves nothing. */
export interface OauthClientsTable {
  id: string
  name: string
  /** JSON list. */
  redirect_uris: string
  created_at: number
  /** When a user last allowed it, or it last received tokens; null if never. */
  last_used_at: number | null
}

interface Consent {
  user_id: string
  client_id: string
  /** The host that the browser was sent to. */
  destination: string
  /** JSON list. */
  scopes: string
  /** JSON list of channel ids; null for every channel of the user. */
  channel_ids: string | null
}

/** What a user has allowed, until the program exchanges the code, and for a while after that. */
export interface OauthCodesTable extends Consent {
  code_hash: string
  redirect_uri: string
  /** The hash of the verifier that the program must send with the code (PKCE). */
  challenge: string
  /** The id of the connected program that the code becomes. A code that is used again ends it. */
  program_id: string
  program_expires_at: number
  expires_at: number
  used_at: number | null
}

/** Programs that act as a user with tokens. */
export interface ConnectedProgramsTable extends Consent {
  id: string
  name: string
  /** The part of the refresh token that stays the same. */
  family_hash: string
  /** The part of the newest refresh token that changes. A former one ends the connection. */
  refresh_hash: string
  created_at: number
  expires_at: number
  last_used_at: number | null
}

export interface OauthAccessTokensTable {
  token_hash: string
  program_id: string
  /** JSON list. A program can ask for a token with fewer scopes than it has. */
  scopes: string
  expires_at: number
}
