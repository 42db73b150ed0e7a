import { sentencesOf } from './sentences.ts'
import { type AnalysedText, analyse, writtenWords } from './terms.ts'

/** A passage that can be cited, with the title and headings that say what it is about. */
export interface EvidenceText {
  title: string
  headingPath: readonly string[]
  text: string
}

export interface Evidence {
  /** Returns the cited numbers whose passages support the sentence, without duplicates. */
  supporting(sentence: string, numbers: readonly number[]): number[]
}

/** The share of a sentence's content words, weighted by rarity, that its passage must contain. */
const coverNeeded = 0.5
/** The share that each passage must contain if a sentence draws on several. */
const partNeeded = 0.2
/** Above this share of capitalised words, the passage is in a language that capitalises every noun. */
const nounCapitals = 0.2

const numberWords = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen twenty'
).split(' ')
const tens = ['', '', '', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety', 'hundred']

const wordNumbers = new Map<string, string>([
  ...numberWords.map((word, value): [string, string] => [word, String(value)]),
  ...tens.flatMap((word, value): [string, string][] => (word === '' ? [] : [[word, String(value * 10)]])),
])

/** All normalised readings of a written number: 1,000 as 1000 or 1, 05 as 5, 3.50 as 3.5. */
function readings(written: string): string[] {
  function plain(digits: string): string {
    const [whole = '', fraction = ''] = digits.split('.')
    const kept = fraction.replace(/0+$/, '')
    return `${whole.replace(/^0+(?=\d)/, '')}${kept === '' ? '' : `.${kept}`}`
  }
  const found = [plain(written.replace(',', '.'))]
  if (/^\d{1,3}(?:[,.’']\d{3})+$/.test(written)) found.push(plain(written.replace(/\D/g, '')))
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(written)) found.push(plain(written.replaceAll(',', '')))
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(written))
    found.push(plain(written.replaceAll('.', '').replace(',', '.')))
  return found
}

function writtenNumbers(text: string): string[] {
  return text.match(/\d+(?:[.,’'](?=\d)\d+)*/g) ?? []
}

function numbersIn(text: string): Set<string> {
  return new Set([
    ...writtenNumbers(text).flatMap(readings),
    ...writtenWords(text.toLowerCase()).flatMap((word) => wordNumbers.get(word) ?? []),
  ])
}

/** Capitalised words, except at the beginning of a sentence. */
function namesIn(text: string): string[] {
  return sentencesOf(text).flatMap(({ start, end }) =>
    writtenWords(text.slice(start, end))
      .slice(1)
      .filter((word) => /^\p{Lu}./u.test(word)),
  )
}

interface Prepared {
  analysed: Pick<AnalysedText, 'terms' | 'termsOf'>
  words: Set<string>
  numbers: Set<string>
  capitalisesNouns: boolean
}

function wholeOf({ title, headingPath, text }: EvidenceText): string {
  return [title, ...headingPath, text].join('\n')
}

function prepare(given: EvidenceText, surroundings: string): Prepared {
  const { text } = given
  const whole = wholeOf(given)
  const words = writtenWords(text).length
  return {
    analysed: analyse(whole, surroundings),
    words: new Set(writtenWords(whole)),
    numbers: numbersIn(whole),
    capitalisesNouns: words > 0 && namesIn(text).length / words > nounCapitals,
  }
}

function together(sources: readonly Prepared[]): Prepared {
  return {
    analysed: {
      terms: new Set(sources.flatMap(({ analysed }) => [...analysed.terms])),
      termsOf: (text) => new Set(sources.flatMap(({ analysed }) => [...analysed.termsOf(text)])),
    },
    words: new Set(sources.flatMap(({ words }) => [...words])),
    numbers: new Set(sources.flatMap(({ numbers }) => [...numbers])),
    capitalisesNouns: sources.every(({ capitalisesNouns }) => capitalisesNouns),
  }
}

/** Removes citations, markup and the list item number from a sentence. */
function bare(sentence: string): string {
  return sentence
    .replace(/\[[\d,\s]*\]/g, ' ')
    .replace(/^[\s>#*+-]*(?:\d{1,3}[.)]\s+)?/, '')
    .replace(/[*_`|]/g, ' ')
    .trim()
}

function hasNumbers(sentence: string, { numbers }: Prepared): boolean {
  function holds(found: readonly string[]): boolean {
    return found.some((reading) => numbers.has(reading))
  }
  if (!writtenNumbers(sentence).every((written) => holds(readings(written)))) return false
  // Ignore 'one', which is often a pronoun.
  return writtenWords(sentence.toLowerCase()).every((word) => {
    const value = wordNumbers.get(word)
    return value === undefined || word === 'one' || numbers.has(value)
  })
}

/** Stop words that are names in this spelling: the month of May, and abbreviations such as IT and US. */
function isNameOnly(word: string): boolean {
  return word === 'May' || /^\p{Lu}{2,}$/u.test(word)
}

function hasNames(sentence: string, { analysed, words, capitalisesNouns }: Prepared): boolean {
  const names = namesIn(sentence)
  const known = names.filter((name) => {
    const terms = [...analysed.termsOf(name)]
    return terms.length > 0 || !isNameOnly(name)
      ? terms.every((term) => analysed.terms.has(term))
      : words.has(name)
  }).length
  return capitalisesNouns ? known >= names.length * 0.6 : known === names.length
}

/** Checks sentences against passages without a model. The first passage is number 1; null is unassigned. */
export function createEvidence(texts: readonly (EvidenceText | null)[]): Evidence {
  const given = texts.filter((text) => text !== null)
  const all = given.map(wholeOf).join('\n')
  const numbered = texts.map((text) => (text === null ? null : prepare(text, all)))
  const sources = numbered.filter((source) => source !== null)
  const frequency = new Map<string, number>()
  for (const { analysed } of sources)
    for (const term of analysed.terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  function rarity(term: string): number {
    return 1 + Math.log((sources.length + 1) / ((frequency.get(term) ?? 0) + 1))
  }

  function coverOf(claim: string, { analysed }: Prepared): number {
    let all = 0
    let held = 0
    for (const term of analysed.termsOf(claim)) {
      const weight = rarity(term)
      all += weight
      if (analysed.terms.has(term)) held += weight
    }
    return all === 0 ? 0 : held / all
  }

  return {
    supporting(sentence, numbers) {
      const claim = bare(sentence)
      function bears(source: Prepared): boolean {
        return hasNumbers(claim, source) && hasNames(claim, source) && coverOf(claim, source) >= coverNeeded
      }
      const cited = [...new Set(numbers)].flatMap((number) => {
        const source = numbered[number - 1]
        return source ? [{ number, source }] : []
      })
      const alone = cited.filter(({ source }) => bears(source))
      if (alone.length > 0 || cited.length < 2) return alone.map(({ number }) => number)
      // A sentence may draw on several passages: they must support it together, and each must contribute.
      if (!bears(together(cited.map(({ source }) => source)))) return []
      return cited.filter(({ source }) => coverOf(claim, source) >= partNeeded).map(({ number }) => number)
    },
  }
}
