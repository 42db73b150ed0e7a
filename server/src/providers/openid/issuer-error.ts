import * as client from 'openid-client'

/**
 * 'unreachable': no response in time. 'refused': the issuer says that it did not sign the user in. 'misconfigured': it does
 * not accept our client, or is no issuer. 'invalid': its response does not stand up to a check.
 */
type IssuerErrorKind = 'unreachable' | 'refused' | 'misconfigured' | 'invalid'

/** Why an operation with an issuer failed. The message is for administrators. */
export class IssuerError extends Error {
  readonly kind: IssuerErrorKind

  constructor(kind: IssuerErrorKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

const configurationErrors = [
  'invalid_client',
  'unauthorized_client',
  'invalid_scope',
  'redirect_uri_mismatch',
]

function findRoot(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? findRoot(error.cause) : error
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof client.ClientError && error.code === 'OAUTH_TIMEOUT') return true
  const root = findRoot(error)
  if (root instanceof DOMException) return root.name === 'TimeoutError' || root.name === 'AbortError'
  // `fetch` fails with a TypeError whose cause is a system error.
  return (error instanceof TypeError && error.message === 'fetch failed') || hasSystemCode(root)
}

function hasSystemCode(error: unknown): boolean {
  return error instanceof Error && /^E[A-Z]+$|^UND_ERR_/.test(String((error as { code?: unknown }).code))
}

/** Describes an error without anything that the issuer wrote, except codes of the protocol. */
export function toIssuerError(error: unknown): IssuerError {
  if (error instanceof IssuerError) return error
  if (error instanceof client.AuthorizationResponseError)
    return new IssuerError('refused', `the issuer answered ${error.error}`, error)
  if (error instanceof client.ResponseBodyError) {
    const kind = configurationErrors.includes(error.error) ? 'misconfigured' : 'invalid'
    return new IssuerError(kind, `the issuer answered ${error.error}`, error)
  }
  if (isUnreachable(error)) return new IssuerError('unreachable', 'the issuer did not answer in time', error)
  const message = error instanceof Error ? error.message : 'unknown error'
  return new IssuerError('invalid', message, error)
}
