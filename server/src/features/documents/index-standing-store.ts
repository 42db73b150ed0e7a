import { sql } from 'kysely'
import type { Executor } from '#db/client.ts'

export async function countAnswering(db: Executor): Promise<number> {
  const { documents } = await db
    .selectFrom('documents')
    .select((eb) => eb.fn.countAll<number>().as('documents'))
    .where('generation', 'is not', null)
    .executeTakeFirstOrThrow()
  return documents
}

/** Of all files of documents that are kept. */
export async function sumOfFiles(db: Executor): Promise<number> {
  const { bytes } = await db
    .selectFrom('document_versions')
    .select(sql<number>`cast(coalesce(sum(file_size), 0) as bigint)`.as('bytes'))
    .where('released_at', 'is', null)
    .executeTakeFirstOrThrow()
  return bytes
}
