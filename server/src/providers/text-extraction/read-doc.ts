import WordExtractor from 'word-extractor'
import { cleanText } from './clean-text.ts'
import { isEncryptedWord, isOle } from './ole.ts'
import { addParagraphs } from './plain-blocks.ts'
import type { ExtractedText } from './port.ts'
import { ExtractionError } from './port.ts'
import { TextBuilder } from './text-builder.ts'

const asWritten = { filterUnicode: false }

export async function readDoc(bytes: Buffer): Promise<ExtractedText> {
  // word-extractor would also open a docx, past the guard that a ZIP needs.
  if (!isOle(bytes)) throw new ExtractionError('damaged')
  if (isEncryptedWord(bytes)) throw new ExtractionError('encrypted')
  const word = await new WordExtractor().extract(bytes).catch((cause: unknown) => {
    throw new ExtractionError('damaged', { cause })
  })
  const parts = [
    word.getBody(asWritten),
    word.getTextboxes({ ...asWritten, includeHeadersAndFooters: false }),
    word.getFootnotes(asWritten),
    word.getEndnotes(asWritten),
  ]
  const builder = new TextBuilder()
  for (const part of parts) addParagraphs(builder, cleanText(part).split('\n'))
  return builder.finish(null)
}
