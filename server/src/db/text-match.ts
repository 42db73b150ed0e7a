import { type AliasableExpression, type Expression, type SqlBool, sql } from 'kysely'

/** Whether a column contains the words of a search as they are: `%`, `_` and `\` stand for themselves. */
export function contains(column: Expression<string>, words: string): AliasableExpression<SqlBool> {
  return sql<SqlBool>`lower(${column}) like ${`%${words.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
}
