import * as client from 'openid-client'
import { explainNetworkFailure } from '../outgoing/delivery-failure.ts'

/** Milliseconds for all requests of one operation. */
export const issuerTimeout = 5000

/**
 * 'unreachable': no response. 'refused': the issuer says that it did not sign the user in. 'misconfigured': it does
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

function isLate(error: unknown): boolean {
  const root = findRoot(error)
  return root instanceof DOMException && /^(?:Timeout|Abort)Error$/.test(root.name)
}

function hasSystemCode(error: unknown): boolean {
  return error instanceof Error && /^E[A-Z]+$|^UND_ERR_/.test(String((error as { code?: unknown }).code))
}

/** Whether a request got no response. `fetch` then fails with a TypeError whose cause is a system error. */
export function isUnreachable(error: unknown): boolean {
  const hasFetchFailed = error instanceof TypeError && error.message === 'fetch failed'
  return isLate(error) || hasFetchFailed || hasSystemCode(findRoot(error))
}

function describeFailure(error: unknown, server: string): string {
  if (isLate(error)) return `${server} did not answer within ${issuerTimeout / 1000} seconds.`
  const root = findRoot(error)
  // `fetch` refuses the ports of other protocols (https://fetch.spec.whatwg.org/#port-blocking).
  if (root instanceof Error && root.message === 'bad port')
    return `The port of ${server} is reserved for another protocol. Use a different port.`
  return explainNetworkFailure(root, server).message
}

/** Explains why a server did not answer. It need not be the server in the address of the issuer. */
export function explainUnreachable(error: unknown, server: string): IssuerError {
  return new IssuerError('unreachable', describeFailure(error, server), error)
}

function findIssuerError(error: unknown): IssuerError | null {
  if (error instanceof IssuerError) return error
  return error instanceof Error ? findIssuerError(error.cause) : null
}

/** Describes an error without anything that the issuer wrote, except codes of the protocol. */
export function toIssuerError(error: unknown): IssuerError {
  const known = findIssuerError(error)
  if (known !== null) return known
  if (error instanceof client.AuthorizationResponseError)
    return new IssuerError('refused', `the issuer answered ${error.error}`, error)
  if (error instanceof client.ResponseBodyError) {
    const kind = configurationErrors.includes(error.error) ? 'misconfigured' : 'invalid'
    return new IssuerError(kind, `the issuer answered ${error.error}`, error)
  }
  const message = error instanceof Error ? error.message : 'unknown error'
  return new IssuerError('invalid', message, error)
}
