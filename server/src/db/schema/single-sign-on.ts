/** Issuers of OpenID Connect that users can sign in with. */
export interface SignInIssuersTable {
  /** Chosen by an administrator; part of the redirect URI. */
  id: string
  name: string
  /** Encrypted JSON: the address of the issuer, the client ID and the client secret. */
  sealed: string
  /** JSON: who gets a user, which claims are believed, and what claims give. */
  options: string
  created_at: number
}

/** Which subject of an issuer is which user. */
export interface IdentitiesTable {
  id: string
  user_id: string
  issuer_id: string
  subject: string
  created_at: number
  last_used_at: number | null
}

/** What a source such as an issuer gave to a user. Access without a row here was given by hand. */
export interface AccessGrantsTable {
  user_id: string
  /** `role:admin` or `channel:<id>`. */
  target: string
  /** For example `issuer:<id>`. */
  source: string
  created_at: number
}

/** Sign-ins that wait for the issuer's response. Only the browser has the secret and the state. */
export interface SignInTransactionsTable {
  state_hash: string
  browser_hash: string
  issuer_id: string
  /** Encrypted JSON: nonce, code verifier and sign-in page. */
  sealed: string
  expires_at: number
}

/** Logout tokens of issuers, each of which is accepted once. */
export interface UsedLogoutTokensTable {
  token_hash: string
  expires_at: number
}
