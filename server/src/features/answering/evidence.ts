import { splitSentences } from './sentences.ts'
import { type AnalyzedText, analyzeText, splitWrittenWords } from './terms.ts'

/** A passage that can be cited, with the title and headings that say what it is about. */
export interface EvidenceText {
  title: string
  headingPath: readonly string[]
  text: string
}

export interface Evidence {
  /** Returns the cited numbers whose passages support the sentence, without duplicates. */
  findSupporting(sentence: string, numbers: readonly number[]): number[]
}

/** The share of a sentence's content words, weighted by rarity, that its passage must contain. */
const minCoverage = 0.5
/** The share that each passage must contain if a sentence draws on several. */
const minContribution = 0.2
/** Above this share of capitalized words, the passage is in a language that capitalizes every noun. */
const nounCapitalShare = 0.2

const numberWords = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen twenty'
).split(' ')
const tens = ['', '', '', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety', 'hundred']

const wordNumbers = new Map<string, string>([
  ...numberWords.map((word, value): [string, string] => [word, String(value)]),
  ...tens.flatMap((word, value): [string, string][] => (word === '' ? [] : [[word, String(value * 10)]])),
])

/** All normalized readings of a written number: 1,000 as 1000 or 1, 05 as 5, 3.50 as 3.5. */
function parseReadings(written: string): string[] {
  function normalizeNumber(digits: string): string {
    const [whole = '', fraction = ''] = digits.split('.')
    const kept = fraction.replace(/0+$/, '')
    return `${whole.replace(/^0+(?=\d)/, '')}${kept === '' ? '' : `.${kept}`}`
  }
  const found = [normalizeNumber(written.replace(',', '.'))]
  if (/^\d{1,3}(?:[,.’']\d{3})+$/.test(written)) found.push(normalizeNumber(written.replace(/\D/g, '')))
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(written)) found.push(normalizeNumber(written.replaceAll(',', '')))
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(written))
    found.push(normalizeNumber(written.replaceAll('.', '').replace(',', '.')))
  return found
}

function findWrittenNumbers(text: string): string[] {
  return text.match(/\d+(?:[.,’'](?=\d)\d+)*/g) ?? []
}

function findNumbers(text: string): Set<string> {
  return new Set([
    ...findWrittenNumbers(text).flatMap(parseReadings),
    ...splitWrittenWords(text.toLowerCase()).flatMap((word) => wordNumbers.get(word) ?? []),
  ])
}

/** Capitalized words, except at the beginning of a sentence. */
function findNames(text: string): string[] {
  return splitSentences(text).flatMap(({ start, end }) =>
    splitWrittenWords(text.slice(start, end))
      .slice(1)
      .filter((word) => /^\p{Lu}./u.test(word)),
  )
}

interface PreparedSource {
  analyzed: Pick<AnalyzedText, 'terms' | 'extractTerms'>
  words: Set<string>
  numbers: Set<string>
  capitalizesNouns: boolean
}

function joinTexts({ title, headingPath, text }: EvidenceText): string {
  return [title, ...headingPath, text].join('\n')
}

function prepareSource(source: EvidenceText, surroundings: string): PreparedSource {
  const { text } = source
  const whole = joinTexts(source)
  const words = splitWrittenWords(text).length
  return {
    analyzed: analyzeText(whole, surroundings),
    words: new Set(splitWrittenWords(whole)),
    numbers: findNumbers(whole),
    capitalizesNouns: words > 0 && findNames(text).length / words > nounCapitalShare,
  }
}

function mergeSources(sources: readonly PreparedSource[]): PreparedSource {
  return {
    analyzed: {
      terms: new Set(sources.flatMap(({ analyzed }) => [...analyzed.terms])),
      extractTerms: (text) => new Set(sources.flatMap(({ analyzed }) => [...analyzed.extractTerms(text)])),
    },
    words: new Set(sources.flatMap(({ words }) => [...words])),
    numbers: new Set(sources.flatMap(({ numbers }) => [...numbers])),
    capitalizesNouns: sources.every(({ capitalizesNouns }) => capitalizesNouns),
  }
}

/** Removes citations, markup and the list item number from a sentence. */
function stripMarkup(sentence: string): string {
  return sentence
    .replace(/\[[\d,\s]*\]/g, ' ')
    .replace(/^[\s>#*+-]*(?:\d{1,3}[.)]\s+)?/, '')
    .replace(/[*_`|]/g, ' ')
    .trim()
}

function hasSupportedNumbers(sentence: string, { numbers }: PreparedSource): boolean {
  function contains(found: readonly string[]): boolean {
    return found.some((reading) => numbers.has(reading))
  }
  if (!findWrittenNumbers(sentence).every((written) => contains(parseReadings(written)))) return false
  // Ignore 'one', which is often a pronoun.
  return splitWrittenWords(sentence.toLowerCase()).every((word) => {
    const value = wordNumbers.get(word)
    return value === undefined || word === 'one' || numbers.has(value)
  })
}

/** Stop words that are names in this spelling: the month of May, and abbreviations such as IT and US. */
function isNameOnly(word: string): boolean {
  return word === 'May' || /^\p{Lu}{2,}$/u.test(word)
}

function hasSupportedNames(sentence: string, { analyzed, words, capitalizesNouns }: PreparedSource): boolean {
  const names = findNames(sentence)
  const known = names.filter((name) => {
    const terms = [...analyzed.extractTerms(name)]
    return terms.length > 0 || !isNameOnly(name)
      ? terms.every((term) => analyzed.terms.has(term))
      : words.has(name)
  }).length
  return capitalizesNouns ? known >= names.length * 0.6 : known === names.length
}

/** Checks sentences against passages without a model. The first passage is number 1; null is unassigned. */
export function createEvidence(texts: readonly (EvidenceText | null)[]): Evidence {
  const presentTexts = texts.filter((text) => text !== null)
  const fullText = presentTexts.map(joinTexts).join('\n')
  const numbered = texts.map((text) => (text === null ? null : prepareSource(text, fullText)))
  const sources = numbered.filter((source) => source !== null)
  const frequency = new Map<string, number>()
  for (const { analyzed } of sources)
    for (const term of analyzed.terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  function computeRarity(term: string): number {
    return 1 + Math.log((sources.length + 1) / ((frequency.get(term) ?? 0) + 1))
  }

  function computeCoverage(claim: string, { analyzed }: PreparedSource): number {
    let total = 0
    let matched = 0
    for (const term of analyzed.extractTerms(claim)) {
      const weight = computeRarity(term)
      total += weight
      if (analyzed.terms.has(term)) matched += weight
    }
    return total === 0 ? 0 : matched / total
  }

  return {
    findSupporting(sentence, numbers) {
      const claim = stripMarkup(sentence)
      function isSupportedBy(source: PreparedSource): boolean {
        return (
          hasSupportedNumbers(claim, source) &&
          hasSupportedNames(claim, source) &&
          computeCoverage(claim, source) >= minCoverage
        )
      }
      const cited = [...new Set(numbers)].flatMap((number) => {
        const source = numbered[number - 1]
        return source ? [{ number, source }] : []
      })
      const alone = cited.filter(({ source }) => isSupportedBy(source))
      if (alone.length > 0 || cited.length < 2) return alone.map(({ number }) => number)
      // A sentence may draw on several passages: they must support it together, and each must contribute.
      if (!isSupportedBy(mergeSources(cited.map(({ source }) => source)))) return []
      return cited
        .filter(({ source }) => computeCoverage(claim, source) >= minContribution)
        .map(({ number }) => number)
    },
  }
}
