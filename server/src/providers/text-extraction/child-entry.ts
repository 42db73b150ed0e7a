// Extracts one document in a child process: reads the file from stdin and writes frames to file descriptor 3.
import '../../lib/outlive-stop-signals.ts'
import { Socket } from 'node:net'
import type { Frame } from './frames.ts'
import { encodeFrame } from './frames.ts'
import { disableNetwork } from './no-network.ts'
import type { ExtractedText, ExtractionFault } from './port.ts'
import { ExtractionError } from './port.ts'

disableNetwork()

const charactersPerFrame = 100_000
const blocksPerFrame = 200

const out = new Socket({ fd: 3, readable: false, writable: true })
// The server is gone, so the result is no longer needed.
out.on('error', () => process.exit(1))
out.on('close', () => process.exit(0))

/** Resolves when the frame is written, so that the server knows of a page before its reading may block this process. */
function send(frame: Frame): Promise<void> {
  return new Promise((resolve) => out.write(encodeFrame(frame), () => resolve()))
}

async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function onPage(page: number | null, pages: number): Promise<void> {
  return send({ type: 'page', page, pages })
}

async function read(
  kind: string | undefined,
  unreadPages: ReadonlySet<number>,
  bytes: Buffer,
): Promise<ExtractedText> {
  switch (kind) {
    case 'pdf':
      return await (await import('./read-pdf.ts')).readPdf(bytes, { unreadPages, onPage })
    case 'docx':
      return await (await import('./read-docx.ts')).readDocx(bytes)
    case 'doc':
      return await (await import('./read-doc.ts')).readDoc(bytes)
    case 'txt':
      return (await import('./read-txt.ts')).readTxt(bytes)
    default:
      throw new Error(`unknown kind ${kind}`)
  }
}

async function sendResult(result: ExtractedText): Promise<void> {
  if (!/[\p{L}\p{N}]/u.test(result.text)) throw new ExtractionError('no_text')
  for (let at = 0; at < result.text.length; at += charactersPerFrame) {
    await send({ type: 'text', text: result.text.slice(at, at + charactersPerFrame) })
  }
  for (let at = 0; at < result.blocks.length; at += blocksPerFrame) {
    await send({ type: 'blocks', blocks: result.blocks.slice(at, at + blocksPerFrame) })
  }
  await send({ type: 'done', pages: result.pages })
}

function toFault(error: unknown, detail: string): ExtractionFault {
  // The memory limit also makes single allocations fail, which libraries report as any other error.
  if (/allocation failed|out of memory/i.test(detail)) return 'out_of_memory'
  return error instanceof ExtractionError ? error.fault : 'damaged'
}

const [kind, unreadPages = ''] = process.argv.slice(2)
try {
  await sendResult(
    await read(kind, new Set(unreadPages.split(',').filter(Boolean).map(Number)), await readInput()),
  )
} catch (error) {
  const detail = error instanceof Error ? String(error.cause ?? error.message) : String(error)
  await send({ type: 'fault', fault: toFault(error, detail), detail: detail.slice(0, 500) })
}
out.end()
