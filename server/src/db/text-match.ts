import { type AliasableExpression, type Expression, type SqlBool, sql } from 'kysely'

/** Whether a column contains the text literally: `%`, `_` and `\` have no special meaning. */
export function contains(column: Expression<string>, text: string): AliasableExpression<SqlBool> {
  return sql<SqlBool>`lower(${column}) like ${`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
}
