import mammoth from 'mammoth'
import type { Options, ZipFile } from 'yauzl'
import { fromBufferPromise } from 'yauzl'
import { packUncompressed, rewriteParts } from './docx-parts.ts'
import { addHtml } from './html-blocks.ts'
import { isOle } from './ole.ts'
import type { ExtractedText } from './port.ts'
import { ExtractionError } from './port.ts'
import { TextBuilder } from './text-builder.ts'
import { isWordBody, unpackEntries } from './zip-guard.ts'

/** Names as bytes, so that the library does not normalize unsafe ones before our check. We count sizes ourselves. */
const zipOptions: Options = { decodeStrings: false, validateEntrySizes: false }

function throwDamaged(cause: unknown): never {
  throw cause instanceof ExtractionError ? cause : new ExtractionError('damaged', { cause })
}

/** Rebuilds the document without pictures and without elements that the reader would skip. */
async function prepare(zip: ZipFile): Promise<Buffer> {
  const parts = await unpackEntries(zip)
  if (![...parts.keys()].some(isWordBody)) throw new ExtractionError('damaged')
  return packUncompressed(rewriteParts(parts))
}

export async function readDocx(bytes: Buffer): Promise<ExtractedText> {
  // Office stores password-protected documents in the older compound file format.
  if (isOle(bytes)) throw new ExtractionError('encrypted')
  const buffer = await fromBufferPromise(bytes, zipOptions).then(prepare).catch(throwDamaged)
  const html = await mammoth
    .convertToHtml(
      { buffer },
      {
        convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
      },
    )
    .catch(throwDamaged)
  const builder = new TextBuilder()
  addHtml(builder, html.value)
  return builder.finish(null)
}
