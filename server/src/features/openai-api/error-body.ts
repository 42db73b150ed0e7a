import { errors } from '@lyceum/contract/errors'
import type { AppError } from '../../errors.ts'

interface ErrorBody {
  error: { message: string; type: string; param: string | null; code: string }
}

function getType(status: number): string {
  if (status >= 500) return 'server_error'
  if (status === 429) return 'rate_limit_error'
  if (status === 401) return 'authentication_error'
  return status === 403 ? 'permission_error' : 'invalid_request_error'
}

/** Codes that clients of OpenAI's API know under another name. */
const clientCodes: Readonly<Record<string, string>> = {
  'api_key.invalid': 'invalid_api_key',
  'rate.limited': 'rate_limit_exceeded',
  'quota.messages': 'insufficient_quota',
  'quota.tokens': 'insufficient_quota',
  'quota.channel_messages': 'insufficient_quota',
  'quota.channel_tokens': 'insufficient_quota',
  model_not_found: 'model_not_found',
}

/** An error in the form of OpenAI's API. `param` names the first field that is not valid. */
export function buildErrorBody({ code, message, fields }: AppError, requestId: string): ErrorBody {
  const [param = null] = Object.keys(fields ?? {})
  const detail = param === null ? undefined : fields?.[param]
  const text = detail === undefined ? message : `${param}: ${detail}`
  return {
    error: {
      message: code === 'internal' ? `${text} Request: ${requestId}` : text,
      type: getType(errors[code].status),
      param,
      code: clientCodes[code] ?? code,
    },
  }
}
