import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findColumnFaults } from '#testing/column-faults.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'

let records: MigratedDatabase
beforeAll(async () => {
  records = await openMigratedDatabase()
})
afterAll(() => records.close())

describe('the table types', () => {
  it('declare the columns of the database', async () => {
    expect(await findColumnFaults(records.db)).toEqual([])
  })

  it('are checked for nullability, type, default and name', async () => {
    const changes = [
      ['  citations: string | null\n', '  citations: string\n'],
      ['  content: string\n', '  content: string | null\n'],
      ['  last_event: number\n', '  last_event: Generated<number>\n'],
      ['  message_count: number\n', '  message_count: string\n'],
      ['  last_message_role: string | null\n', '  last_role: string | null\n'],
    ] as const
    const faults = await findColumnFaults(records.db, {
      '/schema/chats.ts': (text) => {
        for (const [from] of changes) expect(text).toContain(from)
        return changes.reduce((changed, [from, to]) => changed.replace(from, to), text)
      },
    })
    expect(faults.toSorted()).toEqual([
      'chats.last_message_role is in the database, but not declared',
      'chats.last_role is declared, but the database has no such column',
      'chats.message_count is declared as text, but has the type number',
      'messages.citations is nullable, but is declared as not nullable',
      'messages.content is not nullable, but is declared as nullable',
      'messages.last_event has no default, but is declared as Generated',
    ])
  })
})
