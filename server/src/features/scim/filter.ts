import { AppError } from '../../errors.ts'
import { quote } from './scim-error.ts'

const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'] as const
export type FilterOperator = (typeof operators)[number]
export type FilterValue = string | number | boolean | null

/** A filter of RFC 7644, section 3.4.2.2. Attributes are in lower case, without the name of their schema. */
export type Filter =
  | { type: 'and' | 'or'; filters: readonly Filter[] }
  | { type: 'not'; filter: Filter }
  | { type: 'compare'; attribute: string; operator: FilterOperator; value: FilterValue }

const maxLength = 4000
const maxDepth = 20
/** Comparisons in a filter. */
const maxTerms = 100

const token = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y
const schemaPrefix = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i
const attributeName = /^[A-Za-z$][\w$-]*(?:\.[A-Za-z$][\w$-]*)?$/

export function invalidFilter(message: string): AppError {
  return new AppError('scim.invalid_filter', { message })
}

/** The name in lower case, without the name of a core schema. */
export function normalizeAttribute(name: string): string {
  return name.replace(schemaPrefix, '').toLowerCase()
}

function tokenize(text: string): string[] {
  if (text.length > maxLength) throw invalidFilter(`A filter can have up to ${maxLength} characters`)
  const tokens: string[] = []
  const rest = text.trimEnd()
  token.lastIndex = 0
  while (token.lastIndex < rest.length) {
    const at = token.lastIndex
    const [, bracket, string, word] = token.exec(rest) ?? []
    const found = bracket ?? string ?? word
    if (found === undefined) throw invalidFilter(`The filter is not valid at ${quote(rest.slice(at))}`)
    tokens.push(found)
  }
  return tokens
}

function parseValue(text: string | undefined): FilterValue {
  try {
    const value: unknown = JSON.parse(text ?? '')
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as FilterValue
  } catch {
    // Entra ID sends booleans with capitals.
    if (/^(?:true|false)$/i.test(text ?? '')) return text?.toLowerCase() === 'true'
  }
  throw invalidFilter(`The filter has no valid value at ${quote(text ?? 'its end')}`)
}

/** A parser by recursive descent: `or` binds less than `and`, and `not` binds most. */
export function parseFilter(text: string): Filter {
  const tokens = tokenize(text)
  let at = 0
  let terms = 0

  function takeWord(word: string): boolean {
    if (tokens[at]?.toLowerCase() !== word) return false
    at += 1
    return true
  }
  function requireToken(expected: string): void {
    if (!takeWord(expected))
      throw invalidFilter(`The filter needs “${expected}” at ${quote(tokens[at] ?? 'its end')}`)
  }

  function parseComparison(prefix: string): Filter {
    const name = tokens[at] ?? ''
    const attribute = normalizeAttribute(name)
    if (!attributeName.test(attribute)) throw invalidFilter(`${quote(name)} is not an attribute`)
    at += 1
    const path = prefix + attribute
    const word = tokens[at]?.toLowerCase()
    const operator = operators.find((known) => known === word)
    if (operator === undefined) throw invalidFilter(`${quote(tokens[at] ?? 'The end')} is not an operator`)
    at += 1
    terms += 1
    if (terms > maxTerms) throw invalidFilter(`A filter can have up to ${maxTerms} comparisons`)
    if (operator === 'pr') return { type: 'compare', attribute: path, operator, value: null }
    const value = parseValue(tokens[at])
    at += 1
    return { type: 'compare', attribute: path, operator, value }
  }

  function parseTerm(prefix: string, depth: number): Filter {
    if (depth > maxDepth) throw invalidFilter('The filter is nested too deeply')
    if (tokens[at]?.toLowerCase() === 'not' && tokens[at + 1] === '(') {
      at += 1
      return { type: 'not', filter: parseTerm(prefix, depth + 1) }
    }
    if (takeWord('(')) {
      const inner = parseOr(prefix, depth + 1)
      requireToken(')')
      return inner
    }
    if (tokens[at + 1] === '[' && prefix === '') {
      const attribute = normalizeAttribute(tokens[at] ?? '')
      if (!attributeName.test(attribute)) throw invalidFilter(`${quote(attribute)} is not an attribute`)
      at += 2
      const inner = parseOr(`${attribute}.`, depth + 1)
      requireToken(']')
      return inner
    }
    return parseComparison(prefix)
  }

  function parseList(type: 'and' | 'or', parsePart: () => Filter): Filter {
    const first = parsePart()
    const filters = [first]
    while (takeWord(type)) filters.push(parsePart())
    return filters.length === 1 ? first : { type, filters }
  }
  function parseOr(prefix: string, depth: number): Filter {
    return parseList('or', () => parseList('and', () => parseTerm(prefix, depth)))
  }

  const filter = parseOr('', 0)
  if (at < tokens.length) throw invalidFilter(`The filter is not valid at ${quote(tokens[at] ?? '')}`)
  return filter
}
