import chardet from 'chardet'

const minConfidence = 10
const maxControlShare = 0.01

/** Detects UTF-16 without a byte order mark: in Western text every second byte is zero. */
export function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, 4096)
  if (sample.length < 4) return null
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const half = sample.length / 2
  const [even = 0, odd = 0] = zeros
  if (odd > half * 0.3 && even < half * 0.05) return 'utf-16le'
  if (even > half * 0.3 && odd < half * 0.05) return 'utf-16be'
  return null
}

/** Returns the encoding of a byte order mark. */
export function readByteOrderMark(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}

function decodeAs(encoding: string, bytes: Uint8Array, fatal: boolean): string | null {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes)
  } catch {
    return null
  }
}

const western = /^(?:iso-8859-(?:1|2|9|15)|windows-125[0247])$/i
const maxRunShare = 0.5

/** Western text rarely has three accented letters in a row. If most high bytes come in such runs, it is another script. */
function hasRunsOfHighBytes(bytes: Uint8Array): boolean {
  let [high, inRuns, run] = [0, 0, 0]
  for (const byte of bytes) {
    run = byte >= 0xc0 ? run + 1 : 0
    if (byte >= 0xc0) high++
    if (run === 3) inRuns += 3
    else if (run > 3) inRuns++
  }
  return high > 0 && inRuns > high * maxRunShare
}

/** Returns the lines with non-ASCII bytes; only they reveal the encoding. */
function selectLinesWithHighBytes(bytes: Uint8Array): Buffer {
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/[\n\r]/)
  return Buffer.from(lines.filter((line) => /[\u0080-\u00ff]/.test(line)).join('\n'), 'latin1')
}

type Guesses = readonly { name: string; confidence: number }[]

function getLikelyNames(guesses: Guesses): string[] {
  return guesses.filter(({ confidence }) => confidence >= minConfidence).map(({ name }) => name)
}

/** Returns the likely encodings of text in a non-Latin script, best first; none for Western text. */
export function detectNonLatinEncodings(bytes: Uint8Array): string[] {
  return hasRunsOfHighBytes(bytes)
    ? getLikelyNames(chardet.analyse(selectLinesWithHighBytes(bytes))).filter((name) => !western.test(name))
    : []
}

function guessAndDecode(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  const sample = bytes.subarray(0, 256 * 1024)
  const names = [...detectNonLatinEncodings(sample), ...getLikelyNames(chardet.analyse(sample))]
  for (const isFatal of [true, false]) {
    for (const name of names) {
      const text = decodeAs(name, bytes, isFatal)
      if (text !== null) return text
    }
  }
  return null
}

/** Decodes ISO-2022-JP: 7-bit Japanese text that switches alphabets with escape sequences. */
function decodeIso2022Jp(bytes: Uint8Array): string | null {
  const escapeSequences = ['\u001b$B', '\u001b$@'].map((text) => Buffer.from(text, 'latin1'))
  const isEscaped =
    bytes.every((byte) => byte < 0x80) && escapeSequences.some((each) => Buffer.from(bytes).includes(each))
  return isEscaped ? decodeAs('iso-2022-jp', bytes, true) : null
}

function hasTooManyControls(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are counted
  const controls = text.match(/[\u0000-\u0008\u000E-\u001A\u001C-\u001F\uFFFD]/g)?.length ?? 0
  return controls > text.length * maxControlShare
}

/** Decodes plain text in any encoding; null if the file is not text. */
export function decodeText(bytes: Uint8Array): string | null {
  const marked = readByteOrderMark(bytes) ?? detectUtf16(bytes)
  const text = marked
    ? decodeAs(marked, bytes, false)
    : (decodeIso2022Jp(bytes) ?? decodeAs('utf-8', bytes, true) ?? guessAndDecode(bytes))
  return text === null || hasTooManyControls(text) ? null : text
}
