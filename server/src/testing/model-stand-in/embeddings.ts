import { splitWords } from './answers.ts'

/** FNV-1a, which spreads words over the dimensions and is the same in every run. */
function hash(word: string): number {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(word)) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value
}

/** Hashes a bag of words into a unit vector, so that texts that share words are similar. */
function embed(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  function add(feature: string, weight: number) {
    const at = hash(feature)
    const index = at % dimensions
    vector[index] = (vector[index] ?? 0) + (at & 0x10000 ? weight : -weight)
  }
  for (const word of splitWords(text)) {
    add(word, 1)
    // Related words share their beginning ('policy', 'policies').
    if (word.length > 5) add(`${word.slice(0, 5)}~`, 0.5)
  }
  const length = Math.hypot(...vector)
  return length === 0
    ? vector.map((_, index) => (index === 0 ? 1 : 0))
    : vector.map((value) => value / length)
}

export function createEmbeddingsReply(
  body: Record<string, unknown>,
  dimensions: number,
  withUsage: boolean,
  reported?: number,
) {
  const input = body['input']
  const texts = (Array.isArray(input) ? input : [input]).map(String)
  const tokens = reported ?? texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0)
  return {
    object: 'list',
    model: body['model'],
    data: texts.map((text, index) => ({ object: 'embedding', index, embedding: embed(text, dimensions) })),
    ...(withUsage ? { usage: { prompt_tokens: tokens, total_tokens: tokens } } : {}),
  }
}
