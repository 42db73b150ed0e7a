import { setImmediate } from 'node:timers/promises'
import { uuidv7 } from 'uuidv7'
import type { IndexedPassage } from '#providers/passage-index/port.ts'
import { type ExtractedText, ExtractionError, type ExtractionLane } from '#providers/text-extraction/port.ts'
import type { Deps } from '../../../deps.ts'
import { setIndexState, storeText } from '../store.ts'
import { abortWhenSuperseded, SupersededError } from './abort-when-superseded.ts'
import { addStoredVectors } from './embed-build.ts'
import { getTargetSpace, listSpaces, readSpaces } from './embedding-spaces.ts'
import { createProgress, type Progress } from './index-progress.ts'
import { type Build, type BuildSource, insertPassages, lockBuild, type PassageRow } from './passage-store.ts'
import { type Passage, splitPassages } from './passages.ts'

const passagesPerBatch = 200
/** Work before yielding to other requests. */
const maxBlockMs = 8

export interface BuildContext {
  deps: Deps
  build: Build
  source: BuildSource
  lane: ExtractionLane
  signal: AbortSignal
}

/** Reads the file and stores its text, which the offsets of passages and citations refer to. */
export async function extractText({
  deps,
  build,
  source,
  lane,
  signal,
}: BuildContext): Promise<ExtractedText> {
  const { versionId } = build
  const progress = createProgress(deps, versionId, 'extracting')
  const superseded = abortWhenSuperseded(deps, build)
  try {
    const extracted = await deps.textExtractor.extract({
      kind: source.kind,
      lane,
      open: () => deps.files.open(source.file_key),
      signal: AbortSignal.any([signal, superseded.signal]),
      onProgress: progress.report,
    })
    await storeText(deps.db, versionId, {
      text: extracted.text,
      blocks: JSON.stringify(extracted.blocks),
      pages: extracted.pages,
      unread_pages: extracted.unreadPages.length > 0 ? JSON.stringify(extracted.unreadPages) : null,
    })
    return extracted
  } finally {
    superseded.stop()
    await progress.settle()
  }
}

export interface Draft extends IndexedPassage {
  row: PassageRow
}

function toDraft({ build, source }: DraftContext, passage: Passage): Draft {
  const id = uuidv7()
  return {
    id,
    title: source.title,
    headingPath: passage.headingPath,
    text: passage.text,
    row: {
      id,
      generation: build.generation,
      document_id: build.documentId,
      version_id: build.versionId,
      channel_id: source.channel_id,
      ordinal: passage.ordinal,
      page: passage.page,
      page_turns: JSON.stringify(passage.pageBreaks),
      heading_path: JSON.stringify(passage.headingPath),
      char_start: passage.charStart,
      char_end: passage.charEnd,
      text: passage.text,
      tokens: passage.tokens,
    },
  }
}

type DraftContext = Pick<BuildContext, 'build' | 'source'>

/** Yields while splitting, so that a long text does not delay other requests. */
export async function createDrafts(context: DraftContext, extracted: ExtractedText): Promise<Draft[]> {
  const drafts: Draft[] = []
  let pauseAt = performance.now() + maxBlockMs
  for (const passage of splitPassages(extracted)) {
    drafts.push(toDraft(context, passage))
    if (performance.now() < pauseAt) continue
    await setImmediate()
    pauseAt = performance.now() + maxBlockMs
  }
  return drafts
}

export function splitIntoBatches<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / passagesPerBatch) }, (_, index) =>
    all.slice(index * passagesPerBatch, (index + 1) * passagesPerBatch),
  )
}

async function recordPassages(
  { deps, build, signal }: BuildContext,
  drafts: readonly Draft[],
): Promise<void> {
  for (const batch of splitIntoBatches(drafts)) {
    signal.throwIfAborted()
    await deps.disk.requireRoom()
    await deps.db.transaction().execute(async (tx) => {
      if (!(await lockBuild(tx, build))) throw new SupersededError()
      await insertPassages(
        tx,
        batch.map(({ row }) => row),
      )
    })
    deps.faults.reach('index.chunk')
  }
}

/** Adds the passages, and the vectors that are known from earlier builds. Returns whether some have none. */
async function fillIndex(
  { deps, build, source, signal }: BuildContext,
  drafts: readonly Draft[],
  progress: Progress,
): Promise<boolean> {
  const spaces = await readSpaces(deps)
  const target = getTargetSpace(deps, spaces)
  const generation = { id: build.generation, documentId: build.documentId, channelId: source.channel_id }
  let indexed = 0
  let lacksVectors = false
  for (const batch of splitIntoBatches(drafts)) {
    signal.throwIfAborted()
    await deps.disk.requireRoom()
    await deps.passageIndex.add(
      generation,
      batch.map(({ id, title, headingPath, text }) => ({ id, title, headingPath, text })),
    )
    for (const { key } of listSpaces(spaces)) {
      const isIncomplete = await addStoredVectors(deps, key, batch)
      if (key === target?.key) lacksVectors ||= isIncomplete
    }
    deps.faults.reach('index.added')
    indexed += batch.length
    progress.report((indexed / drafts.length) * 100)
  }
  return lacksVectors
}

export interface BuiltPassages {
  count: number
  /** Some passages have no vectors yet, although there is an embedding model. */
  lacksVectors: boolean
}

/** Writes the build's passages to the database and the index. */
export async function buildPassages(context: BuildContext, extracted: ExtractedText): Promise<BuiltPassages> {
  const { deps, build } = context
  const drafts = await createDrafts(context, extracted)
  if (drafts.length === 0) throw new ExtractionError('no_text')
  await setIndexState(deps.db, build.versionId, {
    index_state: 'embedding',
    index_percent: 0,
    index_reason: null,
  })
  const progress = createProgress(deps, build.versionId, 'embedding')
  try {
    await recordPassages(context, drafts)
    return { count: drafts.length, lacksVectors: await fillIndex(context, drafts, progress) }
  } finally {
    await progress.settle()
  }
}
