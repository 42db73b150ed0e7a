import type { documentText } from '@lyceum/contract/documents'
import type { infer as Infer } from 'zod/mini'
import type { TextBlock } from '#providers/text-extraction/port.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { requireReadableVersion } from './access.ts'
import { findText } from './store.ts'

export type DocumentText = Infer<typeof documentText>
type Page = DocumentText['pages'][number]

const maxPartLength = 200_000

/** Finds where each page begins. Text before the first block belongs to the first page. */
function findPageStarts(blocks: readonly TextBlock[]): { page: number | null; start: number }[] {
  const starts: { page: number | null; start: number }[] = []
  for (const { page, charStart } of blocks)
    if (starts.at(-1)?.page !== page) starts.push({ page, start: starts.length === 0 ? 0 : charStart })
  return starts.length > 0 ? starts : [{ page: null, start: 0 }]
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** Returns the text from `start` by page. Offsets refer to the whole text; a cut page keeps its number. */
export function slicePages(text: string, blocks: readonly TextBlock[], start: number): Page[] {
  let end = Math.min(text.length, start + maxPartLength)
  if (isLowSurrogate(text, end)) end -= 1
  const starts = findPageStarts(blocks)
  return starts.flatMap(({ page, start: pageStart }, index) => {
    const from = Math.max(start, pageStart)
    const to = Math.min(end, starts[index + 1]?.start ?? text.length)
    return from < to ? [{ page, start: from, text: text.slice(from, to) }] : []
  })
}

/** Returns no pages, rather than an error, for a document that is not indexed yet. */
export async function readDocumentText(
  deps: Deps,
  actor: Actor,
  id: string,
  { start = 0, version: versionNumber }: { start?: number | undefined; version?: number | undefined },
): Promise<DocumentText> {
  const { document, version } = await requireReadableVersion(deps.db, actor, id, versionNumber)
  const stored = await findText(deps.db, version.id)
  const text = stored?.text ?? ''
  // Without pages, the blocks of the text do not matter.
  const blocks = stored?.pages == null ? [] : (JSON.parse(stored.blocks ?? '[]') as TextBlock[])
  const { title } = document
  return { title, fileType: version.kind, pages: slicePages(text, blocks, start), total: text.length }
}
