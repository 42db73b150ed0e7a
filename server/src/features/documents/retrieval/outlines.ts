import type { Db } from '#db/client.ts'
import { findHeadingPaths, findNewestGenerations } from '../indexing/passage-store.ts'

/** The beginning of a document's headings, each with the ones above it, in the order of the text. */
export interface Outline {
  title: string
  headingPaths: string[][]
}

const maxDocuments = 6
/** From each document. */
const maxPassages = 20

/** The outlines of the channel's newest approved documents that answers use, newest first. */
export async function listOutlines(db: Db, channelId: string): Promise<Outline[]> {
  const documents = await findNewestGenerations(db, channelId, maxDocuments)
  const passages = Map.groupBy(
    await findHeadingPaths(
      db,
      documents.map(({ generation }) => generation),
      maxPassages,
    ),
    ({ generation }) => generation,
  )
  return documents.map(({ title, generation }) => ({
    title,
    headingPaths: (passages.get(generation) ?? []).map(
      ({ heading_path }) => JSON.parse(heading_path) as string[],
    ),
  }))
}
