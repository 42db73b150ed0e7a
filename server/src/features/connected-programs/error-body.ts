import { errors } from '@lyceum/contract/errors'
import type { AppError } from '../../errors.ts'

const prefix = 'oauth.'

function getErrorName({ code, fields = {} }: AppError): string {
  if (code.startsWith(prefix)) return code.slice(prefix.length)
  if (Object.keys(fields).some((name) => name.startsWith('redirect_uris'))) return 'invalid_redirect_uri'
  if ('client_name' in fields) return 'invalid_client_metadata'
  const { status } = errors[code]
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}

/** An error in the form of OAuth (RFC 6749). */
export function buildOauthErrorBody(error: AppError): { error: string; error_description: string } {
  return { error: getErrorName(error), error_description: error.message }
}
