import { cleanText } from './clean-text.ts'
import { decodeText } from './decode-text.ts'
import { addPlainText } from './plain-blocks.ts'
import type { ExtractedText } from './port.ts'
import { ExtractionError } from './port.ts'
import { TextBuilder } from './text-builder.ts'

export function readTxt(bytes: Buffer): ExtractedText {
  const text = decodeText(bytes)
  if (text === null) throw new ExtractionError('damaged')
  const builder = new TextBuilder()
  addPlainText(builder, cleanText(text))
  return builder.finish(null)
}
