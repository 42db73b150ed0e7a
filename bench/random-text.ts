/** A random generator with the same numbers in every run. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Chooses one of the items. */
export function choose<T>(random: () => number, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('there is nothing to choose from')
  return item
}

const syllables = 'ba ce di fo gu ha ke li mo nu pa re si to vu wa ze bri cla dro fle gra pli sto tre'.split(
  ' ',
)
const common = 'the of and to in is for that with on as by at from this are be or an it'.split(' ')
const vocabularySize = 20_000

const vocabulary = Array.from({ length: vocabularySize }, (_, at) => {
  function part(shift: number): string {
    return syllables[Math.floor(at / shift) % syllables.length] ?? ''
  }
  return `${part(1)}${part(syllables.length)}${part(syllables.length ** 2)}n`
})

/** Picks a word by Zipf's law: a few are frequent, most are rare; every third is an English function word. */
export function pickRandomWord(random: () => number): string {
  return random() < 0.34
    ? (common[Math.floor(random() * common.length)] ?? '')
    : (vocabulary[Math.floor(vocabularySize ** random()) - 1] ?? '')
}

export function createRandomText(random: () => number, words: number): string {
  const sentences: string[] = []
  for (let at = 0; at < words; at += 12)
    sentences.push(
      `${Array.from({ length: Math.min(12, words - at) }, () => pickRandomWord(random)).join(' ')}.`,
    )
  return sentences.join(' ')
}

export function createRandomVector(random: () => number, dimensions: number): Float32Array {
  return Float32Array.from({ length: dimensions }, () => random() - 0.5)
}
