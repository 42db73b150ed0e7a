import { AppError } from '../../errors.ts'
import { type Filter, normalizeAttribute, parseFilter } from './filter.ts'
import { invalidValue, quote } from './scim-error.ts'

export type Message = Readonly<Record<string, unknown>>

const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const operationMaximum = 1000

export function requireMessage(value: unknown, schema: string): Message {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('scim.invalid_syntax', { message: 'The body must be a JSON object' })
  const { schemas } = value as Message
  if (!Array.isArray(schemas) || !schemas.includes(schema))
    throw new AppError('scim.invalid_syntax', { message: `The schema ${schema} is missing` })
  return value as Message
}

/** Text of a directory, without spaces at its ends. Null if there is none. */
export function readText(value: unknown, name: string, maxLength: number): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw invalidValue(`“${name}” must be a text`)
  const text = value.trim()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: databases refuse some of them
  if (/[\u0000-\u001f\u007f]/.test(text)) throw invalidValue(`“${name}” contains a control character`)
  if (text.length > maxLength) throw invalidValue(`“${name}” can have up to ${maxLength} characters`)
  return text === '' ? null : text
}

/** Entra ID sends booleans as text. */
export function readBoolean(value: unknown, name: string): boolean | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  throw invalidValue(`“${name}” must be true or false`)
}

/** The part of a resource that an operation changes. */
interface PatchPath {
  /** In lower case, without the name of the core schema. */
  attribute: string
  /** For example `value` in `emails[type eq "work"].value`. */
  subAttribute: string | null
  filter: Filter | null
}

export interface Operation {
  op: 'add' | 'replace' | 'remove'
  path: PatchPath
  value: unknown
}

const pathPattern = /^([A-Za-z$][\w$-]*)(?:(\[.*\])?(?:\.([A-Za-z$][\w$-]*))?)$/s

function parsePath(text: string): PatchPath {
  // Attributes of other schemas, such as the one for enterprises.
  if (/^urn:/i.test(text) && !/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i.test(text))
    return { attribute: text.toLowerCase(), subAttribute: null, filter: null }
  const path = text.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '')
  const [, attribute, valueFilter, subAttribute] = pathPattern.exec(path) ?? []
  if (attribute === undefined)
    throw new AppError('scim.invalid_path', { message: `${quote(text)} is not a valid path` })
  return {
    attribute: normalizeAttribute(attribute),
    subAttribute: subAttribute?.toLowerCase() ?? null,
    filter: valueFilter === undefined ? null : parseFilter(`${attribute}${valueFilter}`),
  }
}

function readOperation(value: unknown): Operation[] {
  const { op, path, value: given } = (value ?? {}) as Message
  const name = typeof op === 'string' ? op.toLowerCase() : ''
  if (name !== 'add' && name !== 'replace' && name !== 'remove')
    throw new AppError('scim.invalid_syntax', { message: 'An operation is “add”, “replace” or “remove”' })
  if (path !== undefined && path !== null) {
    if (typeof path !== 'string') throw new AppError('scim.invalid_path')
    return [{ op: name, path: parsePath(path), value: given }]
  }
  if (name === 'remove') throw new AppError('scim.no_target')
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidValue('An operation without a path needs an object as its value')
  // Each name can be a path, as Entra ID sends them.
  return Object.entries(given).map(([key, part]) => ({
    op: name,
    path: parsePath(key),
    value: part as unknown,
  }))
}

/** The operations of a PATCH, each with a path. */
export function readOperations(body: unknown): Operation[] {
  const { Operations: operations } = requireMessage(body, patchSchema)
  if (!Array.isArray(operations) || operations.length === 0)
    throw new AppError('scim.invalid_syntax', { message: 'The list “Operations” is missing or empty' })
  if (operations.length > operationMaximum)
    throw new AppError('scim.invalid_syntax', {
      message: `Up to ${operationMaximum} operations are possible`,
    })
  return operations.flatMap(readOperation)
}
