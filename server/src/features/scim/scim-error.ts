import { type ErrorCode, errors } from '@lyceum/contract/errors'
import { AppError } from '../../errors.ts'

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The types of RFC 7644, section 3.12. */
const types: Partial<Record<ErrorCode, string>> = {
  'scim.invalid_filter': 'invalidFilter',
  'scim.invalid_path': 'invalidPath',
  'scim.invalid_syntax': 'invalidSyntax',
  'scim.invalid_value': 'invalidValue',
  'scim.no_target': 'noTarget',
  'scim.too_many': 'tooMany',
  'scim.mutability': 'mutability',
  'scim.uniqueness': 'uniqueness',
  'request.malformed': 'invalidSyntax',
  'group.exists': 'uniqueness',
  'group.unknown_user': 'invalidValue',
}

/** An error in the form of SCIM. */
export function buildScimError({ code, message }: AppError, requestId: string) {
  const { status } = errors[code]
  const scimType = types[code]
  return {
    schemas: [errorSchema],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: code === 'internal' ? `Something went wrong. Request: ${requestId}` : message,
  }
}

/** Shortens what a caller sent, to repeat it in an error. */
export function quote(text: string): string {
  return `“${text.slice(0, 100)}”`
}

export function invalidValue(message: string): AppError {
  return new AppError('scim.invalid_value', { message })
}
