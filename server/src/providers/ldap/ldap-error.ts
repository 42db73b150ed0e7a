import { InvalidCredentialsError, NoSuchObjectError, ResultCodeError } from 'ldapts'

/**
 * 'unreachable': no response in time. 'untrusted': its certificate is not trusted. 'misconfigured': it answered, but refuses
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

function readCode(error: unknown): string {
  return error instanceof Error ? String((error as { code?: unknown }).code) : ''
}

/** Describes an error without the text that the directory wrote. */
export function toLdapError(error: unknown): LdapError {
  if (error instanceof LdapError) return error
  if (error instanceof InvalidCredentialsError)
    return new LdapError('misconfigured', 'The directory refused the bind account or its password.', error)
  if (error instanceof NoSuchObjectError)
    return new LdapError('misconfigured', 'The directory does not contain the base DN.', error)
  if (error instanceof ResultCodeError)
    return new LdapError('misconfigured', `The directory refused the request (${error.name}).`, error)
  if (certificateCodes.test(readCode(error)))
    return new LdapError('untrusted', 'The certificate of the directory is not trusted.', error)
  return new LdapError('unreachable', 'The directory did not answer.', error)
}
