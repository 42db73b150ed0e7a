import chardet from 'chardet'

const leastConfidence = 10
const mostControls = 0.01

/** UTF-16 without a mark shows in Western text as a zero in every second byte. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
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

/** The encoding that a byte order mark announces. */
export function markedEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
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

function guess(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  const sample = bytes.subarray(0, 256 * 1024)
  for (const { name, confidence } of chardet.analyse(sample)) {
    if (confidence < leastConfidence) return null
    const text = decodeAs(name, bytes, false)
    if (text !== null) return text
  }
  return null
}

function isMostlyControls(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is counted
  const controls = text.match(/[\u0000-\u0008\u000E-\u001A\u001C-\u001F\uFFFD]/g)?.length ?? 0
  return controls > text.length * mostControls
}

/** The text of a file without markup; null when it is none. */
export function decodeText(bytes: Uint8Array): string | null {
  const marked = markedEncoding(bytes) ?? unmarkedUtf16(bytes)
  const text = marked ? decodeAs(marked, bytes, false) : (decodeAs('utf-8', bytes, true) ?? guess(bytes))
  return text === null || isMostlyControls(text) ? null : text
}
