import mammoth from 'mammoth'
import type { Options, ZipFile } from 'yauzl'
import { fromBufferPromise } from 'yauzl'
import { packStored, readableParts } from './docx-parts.ts'
import { addHtml } from './html-blocks.ts'
import { isOle } from './ole.ts'
import type { ExtractedText } from './port.ts'
import { ExtractionError } from './port.ts'
import { TextBuilder } from './text-builder.ts'
import { isWordText, unpackChecked } from './zip-guard.ts'

/** Names as bytes, so that the library does not repair what the guard should refuse; sizes are counted, not believed. */
const asFound: Options = { decodeStrings: false, validateEntrySizes: false }

function damaged(cause: unknown): never {
  throw cause instanceof ExtractionError ? cause : new ExtractionError('damaged', { cause })
}

/** The document again without its pictures and with nothing in it that the reader would pass over. */
async function prepared(zip: ZipFile): Promise<Buffer> {
  const parts = await unpackChecked(zip)
  if (![...parts.keys()].some(isWordText)) throw new ExtractionError('damaged')
  return packStored(readableParts(parts))
}

export async function readDocx(bytes: Buffer): Promise<ExtractedText> {
  // Office wraps a document with a password into the older container.
  if (isOle(bytes)) throw new ExtractionError('encrypted')
  const buffer = await fromBufferPromise(bytes, asFound).then(prepared).catch(damaged)
  const html = await mammoth
    .convertToHtml(
      { buffer },
      {
        convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
      },
    )
    .catch(damaged)
  const builder = new TextBuilder()
  addHtml(builder, html.value)
  return builder.finish(null)
}
