/** Why a server did not accept what was sent to it. */
export class DeliveryFailed extends Error {
  /** How long the server asks to be left alone, in milliseconds; null if it does not say. */
  readonly retryAfter: number | null
  /** The status of the response; null without one. */
  readonly status: number | null

  constructor(words: string, { status = null, retryAfter = null, cause }: FailureDetails = {}) {
    super(words, { cause })
    this.status = status
    this.retryAfter = retryAfter
  }
}

interface FailureDetails {
  status?: number | null
  retryAfter?: number | null
  cause?: unknown
}

const byCode: readonly (readonly [RegExp, (server: string) => string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, (server) => `The host name of ${server} was not found. Check its spelling.`],
  [/^EMETADATA$/, () => 'Lyceum does not connect to link-local addresses.'],
  [/^ETIMEDOUT$/, (server) => `${server} did not answer in time.`],
  [
    /ALTNAME_INVALID/,
    (server) => `The certificate of ${server} is for another name, so nothing was sent to it.`,
  ],
  [/CERT_HAS_EXPIRED/, (server) => `The certificate of ${server} has expired.`],
  [
    /SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|CERT_UNTRUSTED|CERT_SIGNATURE|INVALID_CA/,
    (server) =>
      `The certificate of ${server} is not trusted. Add the certificate of the authority that issued it.`,
  ],
  [
    /ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN)|HANDSHAKE_FAILURE/,
    (server) => `${server} did not accept the client certificate, or asks for one.`,
  ],
  [/CERT/, (server) => `The certificate of ${server} is not valid.`],
  [/SSL|^EPROTO$/, (server) => `${server} does not speak TLS.`],
  [/^(?:ECONNRESET|EPIPE)$/, (server) => `${server} closed the connection before it had taken everything.`],
  [/^UND_ERR_SOCKET$/, (server) => `${server} closed the connection without an answer.`],
  [
    /^ECONNREFUSED$/,
    (server) => `Nothing accepts connections at ${server}. Check the address and that the server is running.`,
  ],
]

/** Explains a failure of the network or of encryption to an administrator. */
export function explainNetworkFailure(error: unknown, server: string): DeliveryFailed {
  if (error instanceof DeliveryFailed) return error
  const { code = '', message } = error as { code?: string; message: string }
  const words = byCode.find(([pattern]) => pattern.test(code))?.[1](server)
  return new DeliveryFailed(words ?? `${server} could not be reached (${code || message}).`, { cause: error })
}
