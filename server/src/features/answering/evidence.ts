import { sentencesOf } from './sentences.ts'
import { type AnalysedText, analyse, writtenWords } from './terms.ts'

/** What a citation may refer to: a passage with the words around it that tell what it is about. */
export interface EvidenceText {
  title: string
  headingPath: readonly string[]
  text: string
}

export interface Evidence {
  /** Those of the cited numbers whose passage bears the sentence out, each once. */
  supporting(sentence: string, numbers: readonly number[]): number[]
}

/** The share of a sentence's content words, weighted by rarity, that its passage must hold. */
const coverNeeded = 0.5
/** The share that a passage must give to a sentence drawn from several. */
const partNeeded = 0.2
/** A passage in which this share of words is capitalised is written in a language that does so with every noun. */
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

/** The readings of a written number: 1,000 and 1.000 and 1000, 05 and 5, 3.50 and 3.5. */
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

/** Capitalised words that do not owe it to the beginning of a sentence. */
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

/** A sentence without its citations, its markup and the number of its list item. */
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
  // 'one' is as often a pronoun.
  return writtenWords(sentence.toLowerCase()).every((word) => {
    const value = wordNumbers.get(word)
    return value === undefined || word === 'one' || numbers.has(value)
  })
}

/** Small words that are also names: the month, and abbreviations such as IT and US. */
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

/** Checks sentences against passages numbered from 1, in code and without a model. Null stands for a number not given. */
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
      // One sentence may draw on several passages: then they must bear it out together, and each give a part.
      if (!bears(together(cited.map(({ source }) => source)))) return []
      return cited.filter(({ source }) => coverOf(claim, source) >= partNeeded).map(({ number }) => number)
    },
  }
}
