// Extracts one document in a child process: reads the file from stdin and writes frames to file descriptor 3.
import { once } from 'node:events'
import { Socket } from 'node:net'
import type { Frame } from './frames.ts'
import { encodeFrame } from './frames.ts'
import { disableNetwork } from './no-network.ts'
import type { ExtractedText } from './port.ts'
import { ExtractionError } from './port.ts'

disableNetwork()

const charactersPerFrame = 100_000
const blocksPerFrame = 200
const progressIntervalMs = 300

const out = new Socket({ fd: 3, readable: false, writable: true })
// The server is gone, so the result is no longer needed.
out.on('error', () => process.exit(1))
out.on('close', () => process.exit(0))

async function send(frame: Frame): Promise<void> {
  if (!out.write(encodeFrame(frame))) await once(out, 'drain')
}

async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function createProgressSender(): (percent: number) => void {
  let last = 0
  return (percent) => {
    const now = Date.now()
    if (now - last < progressIntervalMs) return
    last = now
    out.write(encodeFrame({ type: 'progress', percent: Math.floor(percent) }))
  }
}

async function read(kind: string | undefined, bytes: Buffer): Promise<ExtractedText> {
  switch (kind) {
    case 'pdf':
      return await (await import('./read-pdf.ts')).readPdf(bytes, createProgressSender())
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

try {
  await sendResult(await read(process.argv[2], await readInput()))
} catch (error) {
  const detail = error instanceof Error ? String(error.cause ?? error.message) : String(error)
  const fault = error instanceof ExtractionError ? error.fault : 'damaged'
  await send({ type: 'fault', fault, detail: detail.slice(0, 500) })
}
out.end()
