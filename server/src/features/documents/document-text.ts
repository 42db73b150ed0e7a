import type { DocumentText } from '@lyceum/contract/documents'
import type { ExtractedText, TextBlock } from '#providers/text-extraction/port.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { canReadAnyVersion, requireReadableVersion } from './access.ts'
import { extractForPreview } from './extract-for-preview.ts'
import { findText } from './store.ts'

type Page = DocumentText['pages'][number]
type Block = NonNullable<DocumentText['blocks']>[number]

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
export function slicePages(
  text: string,
  blocks: readonly TextBlock[],
  start: number,
  maxLength = maxPartLength,
): Page[] {
  let end = Math.min(text.length, start + maxLength)
  if (isLowSurrogate(text, end)) end -= 1
  const starts = findPageStarts(blocks)
  return starts.flatMap(({ page, start: pageStart }, index) => {
    const from = Math.max(start, pageStart)
    const to = Math.min(end, starts[index + 1]?.start ?? text.length)
    return from < to ? [{ page, start: from, text: text.slice(from, to) }] : []
  })
}

/** Selects the blocks of which some text is in the pages. */
export function selectBlocks(blocks: readonly TextBlock[], pages: readonly Page[]): Block[] {
  const first = pages.at(0)
  const last = pages.at(-1)
  if (first === undefined || last === undefined) return []
  const from = first.start
  const to = last.start + last.text.length
  return blocks
    .filter(({ charStart, charEnd }) => charStart < to && charEnd > from)
    .map(({ kind, headingPath, charStart, charEnd }) => ({
      kind,
      ...(kind === 'heading' && { level: headingPath.length }),
      start: charStart,
      end: charEnd,
    }))
}

interface TextPart {
  start?: number | undefined
  version?: number | undefined
  /** UTF-16 code units. */
  maxLength?: number | undefined
}

const noText: ExtractedText = { text: '', blocks: [], pages: null }

/**
 * Extracts the text of a version that was never indexed for each request and does not store it: the text must not
 * outlive the file of a rejected version, and indexing allows more time. Members get no pages of such a version.
 */
export async function readDocumentText(
  deps: Deps,
  actor: Actor,
  id: string,
  { start = 0, version: versionNumber, maxLength }: TextPart,
): Promise<DocumentText> {
  const { document, version } = await requireReadableVersion(deps.db, actor, id, versionNumber)
  const { text, blocks } =
    (await findText(deps.db, version.id)) ??
    (canReadAnyVersion(actor) ? await extractForPreview(deps, version) : noText)
  const pages = slicePages(text, blocks, start, maxLength)
  return {
    title: document.title,
    fileType: version.kind,
    pages,
    blocks: selectBlocks(blocks, pages),
    total: text.length,
  }
}

/** The text of one page of a version; null if there is no such page, or the version has not been indexed. */
export async function findPageText(
  { db }: Pick<Deps, 'db'>,
  version: { id: string },
  page: number,
): Promise<string | null> {
  const { text, blocks } = (await findText(db, version.id)) ?? noText
  const starts = findPageStarts(blocks)
  const index = starts.findIndex((found) => found.page === page)
  const found = starts[index]
  return found ? text.slice(found.start, starts[index + 1]?.start ?? text.length) : null
}
