import { splitSentences } from './sentences.ts'
import { computeCoverage, measureSupport, type OrderedTerms, orderTerms, type Support } from './support.ts'
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
/** A passage must have the words as close together, and in the same order, as the one that supports them best. */
const minShareOfBest = 0.9
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
  analyzed: AnalyzedText
  ordered: OrderedTerms
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
  const analyzed = analyzeText(whole, surroundings)
  return {
    analyzed,
    ordered: orderTerms(analyzed.inOrder),
    words: new Set(splitWrittenWords(whole)),
    numbers: findNumbers(whole),
    capitalizesNouns: words > 0 && findNames(text).length / words > nounCapitalShare,
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

function hasSupportedNumbers(sentence: string, sources: readonly PreparedSource[]): boolean {
  function contains(readings: readonly string[]): boolean {
    return readings.some((reading) => sources.some(({ numbers }) => numbers.has(reading)))
  }
  if (!findWrittenNumbers(sentence).every((written) => contains(parseReadings(written)))) return false
  // Ignore 'one', which is often a pronoun.
  return splitWrittenWords(sentence.toLowerCase()).every((word) => {
    const value = wordNumbers.get(word)
    return value === undefined || word === 'one' || contains([value])
  })
}

/** Stop words that are names in this spelling: the month of May, and abbreviations such as IT and US. */
function isNameOnly(word: string): boolean {
  return word === 'May' || /^\p{Lu}{2,}$/u.test(word)
}

/** An ending after an apostrophe, as in Turkish: Ankara'da. */
const attachedEnding = /(?<=\p{L}{3})['’]\p{Ll}+$/u

function hasName({ analyzed, words }: PreparedSource, name: string): boolean {
  function hasTerms(spelling: string): boolean {
    return [...analyzed.extractTerms(spelling)].every((term) => analyzed.terms.has(term))
  }
  if (isNameOnly(name) && analyzed.extractTerms(name).size === 0) return words.has(name)
  return hasTerms(name) || hasTerms(name.replace(attachedEnding, ''))
}

function hasSupportedNames(sentence: string, sources: readonly PreparedSource[]): boolean {
  const names = findNames(sentence)
  const known = names.filter((name) => sources.some((source) => hasName(source, name))).length
  const capitalizesNouns = sources.every((source) => source.capitalizesNouns)
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

  function cover(supports: readonly Support[], where: 'found' | 'together'): number {
    return computeCoverage(supports, where, computeRarity)
  }

  return {
    findSupporting(sentence, numbers) {
      const claim = stripMarkup(sentence)
      const claimsByLanguage = new Map<string, OrderedTerms>()
      const measured = numbered.map((source, at) => {
        if (source === null) return null
        const { analyzed, ordered } = source
        const claimed = claimsByLanguage.get(analyzed.language) ?? orderTerms(analyzed.listTerms(claim))
        claimsByLanguage.set(analyzed.language, claimed)
        const support = measureSupport(claimed, ordered, computeRarity)
        return { number: at + 1, source, support, match: cover([support], 'together') + support.order }
      })
      const candidates = measured.filter((candidate) => candidate !== null)
      type Candidate = (typeof candidates)[number]

      function areSupporting(cited: readonly Candidate[]): boolean {
        const sources = cited.map(({ source }) => source)
        const supports = cited.map(({ support }) => support)
        return (
          cover(supports, 'found') >= minCoverage &&
          hasSupportedNumbers(claim, sources) &&
          hasSupportedNames(claim, sources)
        )
      }
      function areBest(cited: readonly Candidate[]): boolean {
        const together = cover(
          cited.map(({ support }) => support),
          'together',
        )
        return candidates.every(({ support }) => together >= minShareOfBest * cover([support], 'together'))
      }
      const bestMatch = Math.max(...candidates.map(({ match }) => match))
      const cited = [...new Set(numbers)].flatMap(
        (wanted) => candidates.find(({ number }) => number === wanted) ?? [],
      )
      const supporting = cited.filter((candidate) => areSupporting([candidate]))
      const alone = supporting.filter(({ match }) => match >= minShareOfBest * bestMatch)
      if (cited.length < 2) return alone.map(({ number }) => number)
      // A sentence may draw on several passages: they must support it together, and each must contribute.
      if (alone.length === 0 && !(areSupporting(cited) && areBest(cited))) return []
      const known = alone.map(({ support }) => support)
      function contributes({ support }: Candidate): boolean {
        return cover([...known, support], 'together') - cover(known, 'together') >= minContribution
      }
      return (alone.length === 0 ? cited : supporting)
        .filter((candidate) => alone.includes(candidate) || contributes(candidate))
        .map(({ number }) => number)
    },
  }
}
