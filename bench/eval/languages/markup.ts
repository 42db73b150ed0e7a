const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function decodeEntity(entity: string, name: string): string {
  const code = /^#x([\da-f]+)$/i.exec(name)?.[1]
  if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
  if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)))
  return entities[name] ?? entity
}

/** Parts that a reader does not see, or that are not part of the text: index entries, footnote numbers, navigation. */
const hidden = [
  /<!--[\s\S]*?-->/g,
  /<(script|style|indexterm|sup)\b[\s\S]*?<\/\1>/g,
  /<div class="toc">[\s\S]*?<\/div>/g,
  /<div class="nav(?:header|footer)">[\s\S]*?<\/table>/g,
  /<ul class="docnav\b[\s\S]*?<\/ul>/g,
  // The help names the keys of each system; browsers show those of one.
  /<span hidden="true" id="MAC[^>]*>(?:[^<]|<span[^>]*>[^<]*<\/span>)*<\/span>/g,
]

const blockTag =
  /<\/?(?:p|div|h\d|li|dt|dd|td|th|tr|pre|br|para|title|titleabbrev|term|entry|listitem|screen|section)\b[^>]*>/g

/** Returns the text of HTML or DocBook, a block for each paragraph, heading or table cell. */
export function readBlocks(markup: string): string[] {
  return hidden
    .reduce((text, part) => text.replace(part, ''), markup)
    .replace(/\s+/g, ' ')
    .replace(blockTag, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&(#?\w+);/g, decodeEntity)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
}

function listWords(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? []
}

/** Counts bytes in UTF-8, because a script with few letters per word takes more bytes for each. */
function measureLength(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

/** The share of a block's words above which it counts as not translated. Names are the same in each language. */
const maxOriginalWords = 0.7

/**
 * Returns the share of a translated page's text that is in blocks which were not translated, so consist of
 * words of the original page. Comparing whole blocks would miss those that contain a translated reference.
 */
export function measureUntranslated(blocks: readonly string[], original: readonly string[]): number {
  const originalWords = new Set(original.flatMap(listWords))
  function isUntranslated(block: string): boolean {
    const words = listWords(block)
    const same = words.filter((word) => originalWords.has(word))
    return measureLength(same) > measureLength(words) * maxOriginalWords
  }
  return blocks.length === 0 ? 1 : measureLength(blocks.filter(isUntranslated)) / measureLength(blocks)
}
