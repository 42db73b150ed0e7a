import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Filter, type FilterOperator, type FilterValue, invalidFilter } from './filter.ts'
import { quote } from './scim-error.ts'

type Comparison = Extract<Filter, { type: 'compare' }>

/** How an attribute is compared in SQL. */
type FilterColumn =
  /** `isFolded`: the column is in lower case. */
  | { type: 'text'; column: RawBuilder<unknown>; isExact?: true; isFolded?: true }
  | { type: 'boolean'; isTrue: RawBuilder<SqlBool> }
  | { type: 'time'; column: RawBuilder<unknown> }
  | { type: 'custom'; compare: (comparison: Comparison) => RawBuilder<SqlBool> }

/** By attribute, in lower case. */
export type FilterColumns = Readonly<Record<string, FilterColumn>>

const orders: Partial<Record<FilterOperator, RawBuilder<unknown>>> = {
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
}

function requireText(attribute: string, value: FilterValue): string {
  if (typeof value === 'string') return value
  throw invalidFilter(`${quote(attribute)} is compared with a text in quotes`)
}

function compareText(
  { attribute, operator, value }: Comparison,
  { column, isExact, isFolded }: Extract<FilterColumn, { type: 'text' }>,
): RawBuilder<SqlBool> {
  if (operator === 'pr' || (operator === 'ne' && value === null))
    return sql`(${column} is not null and ${column} <> '')`
  if (operator === 'eq' && value === null) return sql`(${column} is null or ${column} = '')`
  const given = requireText(attribute, value)
  const text = sql`cast(${isExact ? given : given.toLowerCase()} as text)`
  const stored = isExact || isFolded ? column : sql`lower(${column})`
  switch (operator) {
    case 'eq':
      return sql`${stored} = ${text}`
    case 'ne':
      return sql`(${column} is null or ${stored} <> ${text})`
    // Without LIKE, whose wildcards and case differ between the databases.
    case 'co':
      return sql`(${column} is not null and (${text} = '' or replace(${stored}, ${text}, '') <> ${stored}))`
    case 'sw':
      return sql`substr(${stored}, 1, length(${text})) = ${text}`
    case 'ew':
      return sql`(length(${stored}) >= length(${text}) and substr(${stored}, length(${stored}) - length(${text}) + 1) = ${text})`
    default:
      return sql`${stored} ${orders[operator]} ${text}`
  }
}

function compareBoolean(
  { attribute, operator, value }: Comparison,
  isTrue: RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  if (operator === 'pr') return sql`1 = 1`
  // Some clients send booleans as text.
  const expected = typeof value === 'string' ? value.toLowerCase() : String(value)
  if ((operator !== 'eq' && operator !== 'ne') || (expected !== 'true' && expected !== 'false'))
    throw invalidFilter(`${quote(attribute)} is compared by “eq” or “ne” with true or false`)
  return (expected === 'true') === (operator === 'eq') ? isTrue : sql`not (${isTrue})`
}

function compareTime(
  { attribute, operator, value }: Comparison,
  column: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  if (operator === 'pr') return sql`1 = 1`
  const time = Date.parse(requireText(attribute, value))
  if (Number.isNaN(time)) throw invalidFilter(`${quote(attribute)} is compared with a time of ISO 8601`)
  const sign = operator === 'eq' ? sql`=` : operator === 'ne' ? sql`<>` : orders[operator]
  if (!sign) throw invalidFilter(`${quote(attribute)} cannot be compared with “${operator}”`)
  return sql`${column} ${sign} cast(${time} as bigint)`
}

/** The condition of a filter. Values are parameters, and attributes come from the list of columns only. */
export function toCondition(filter: Filter, columns: FilterColumns): RawBuilder<SqlBool> {
  switch (filter.type) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((part) => toCondition(part, columns))
      return sql`(${sql.join(parts, filter.type === 'and' ? sql` and ` : sql` or `)})`
    }
    // What is unknown to SQL does not match, so its opposite does.
    case 'not':
      return sql`case when ${toCondition(filter.filter, columns)} then 0 else 1 end = 1`
    case 'compare': {
      const column = Object.hasOwn(columns, filter.attribute) ? columns[filter.attribute] : undefined
      if (!column) throw invalidFilter(`${quote(filter.attribute)} cannot be used in a filter`)
      if (column.type === 'custom') return column.compare(filter)
      if (column.type === 'text') return compareText(filter, column)
      if (column.type === 'boolean') return compareBoolean(filter, column.isTrue)
      return compareTime(filter, column.column)
    }
  }
}
