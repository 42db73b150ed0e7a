import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { DocumentKind } from '@lyceum/contract/documents'
import { errors } from '@lyceum/contract/errors'
import { extractionMessages } from '../../server/src/features/documents/indexing/index-reasons.ts'
import type { ExtractedText, TextExtractor } from '../../server/src/providers/text-extraction/port.ts'
import { ExtractionError } from '../../server/src/providers/text-extraction/port.ts'
import { getKindByName, sniffFile } from '../../server/src/providers/text-extraction/sniff.ts'
import { watchChildren } from './child-memory.ts'
import { type Agreement, compareWithOtherProgram } from './compare-text.ts'

export interface Trial {
  /** Relative to the folder. */
  file: string
  kind: DocumentKind
  bytes: number
  outcome: 'ready' | 'refused' | 'failed'
  /** Code of a refusal or a failure, and the text that users read. */
  fault?: string
  message?: string
  /** The reader's error, for debugging. */
  detail?: string
  characters: number
  pages: number | null
  headings: number
  tables: number
  seconds: number
  /** Peak memory of the child in megabytes. */
  memory: number
  agreement?: Agreement
}

type Outcome = Partial<Trial> & Pick<Trial, 'outcome'> & { text?: ExtractedText }

function createRefusal(fault: string): Outcome {
  const code = `document.${fault}`
  return {
    outcome: 'refused',
    fault,
    message: code in errors ? errors[code as keyof typeof errors].message : fault,
  }
}

function createFailure(error: unknown): Outcome {
  if (!(error instanceof ExtractionError)) throw error
  return {
    outcome: 'failed',
    fault: error.fault,
    message: extractionMessages[error.fault],
    detail: String(error.cause ?? '').slice(0, 300),
  }
}

function createSuccess(text: ExtractedText): Outcome {
  function count(kind: string): number {
    return text.blocks.filter((block) => block.kind === kind).length
  }
  return {
    outcome: 'ready',
    characters: text.text.length,
    pages: text.pages,
    headings: count('heading'),
    tables: count('table'),
    text,
  }
}

async function tryExtraction(extractor: TextExtractor, path: string): Promise<Outcome> {
  const sniffed = await sniffFile(path, basename(path))
  if ('fault' in sniffed) return createRefusal(sniffed.fault)
  async function open() {
    return createReadStream(path)
  }
  return await extractor
    .extract({ kind: sniffed.kind, lane: 'slow', open })
    .then(createSuccess, createFailure)
}

/** Does what an upload and its indexing do: checks name and content, then reads the file in a child process. */
export async function tryFile(
  extractor: TextExtractor,
  path: string,
  file: string,
  shouldCompare: boolean,
): Promise<{ trial: Trial; text: ExtractedText | null }> {
  const stopWatching = watchChildren()
  const begun = performance.now()
  const { text, ...ending } = await tryExtraction(extractor, path)
  const seconds = (performance.now() - begun) / 1000
  const kind = getKindByName(file) ?? 'txt'
  const agreement = text && shouldCompare ? compareWithOtherProgram(kind, path, text.text) : null
  const trial: Trial = {
    file,
    kind,
    bytes: statSync(path).size,
    characters: 0,
    pages: null,
    headings: 0,
    tables: 0,
    seconds,
    memory: stopWatching(),
    ...ending,
    ...(agreement && { agreement }),
  }
  return { trial, text: text ?? null }
}
