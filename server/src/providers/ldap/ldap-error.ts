import { InvalidCredentialsError, NoSuchObjectError, ResultCodeError } from 'ldapts'
import { explainNetworkFailure } from '../outgoing/delivery-failure.ts'

/**
 * 'unreachable': no response. 'untrusted': its certificate is not trusted. 'misconfigured': it answered, but refuses
 * what the settings say.
 */
type LdapErrorKind = 'unreachable' | 'untrusted' | 'misconfigured'

/** Why the directory could not be asked. The message is for administrators. */
export class LdapError extends Error {
  readonly kind: LdapErrorKind

  constructor(kind: LdapErrorKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

const certificateCodes = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET|VERIFY)_)/

/** The code of a system error, or ''. Errors of the library have numbers or none. */
function readCode(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : ''
}

/** Describes an error without the text that the directory wrote. */
export function toLdapError(error: unknown, server: string): LdapError {
  if (error instanceof LdapError) return error
  if (error instanceof InvalidCredentialsError)
    return new LdapError('misconfigured', 'The directory refused the bind account or its password.', error)
  if (error instanceof NoSuchObjectError)
    return new LdapError('misconfigured', 'The directory does not contain the base DN.', error)
  if (error instanceof ResultCodeError)
    return new LdapError('misconfigured', `The directory refused the request (${error.name}).`, error)
  const code = readCode(error)
  const kind = certificateCodes.test(code) ? 'untrusted' : 'unreachable'
  const message = code === '' ? 'The directory did not answer.' : explainNetworkFailure(error, server).message
  return new LdapError(kind, message, error)
}
