/** What matters about a document when a question about one of its headings is worded. */
export interface QuestionContext {
  /** How a sentence names the document, such as “the travel policy”; null if its title does not fit in one. */
  name: string | null
  /** The document lays down rules. */
  hasRules: boolean
  isEnglish: boolean
}

const documentNoun =
  /\b(?:agreement|checklist|code of conduct|contract|faq|guide|guidelines?|handbook|instructions|manual|menu|plan|policy|procedures?|regulations?|report|rules|runbook|terms)$/i
const rulesNoun = /\b(?:agreement|code of conduct|contract|guidelines?|policy|regulations?|rules|terms)$/i
const englishWord = /\b(?:the|and|of|to|with|your|our|how|what|from|is|are)\b/i
const dayOrMonth =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)s?\b/i

/** “Hotel limits” becomes “hotel limits”. “EU travel”, “Paid Leave” and “Mondays” keep their capitals. */
function lowerFirst(text: string): string {
  const [first = '', ...others] = text.split(' ')
  const longWords = others.filter((word) => word.length > 3)
  const isTitleCase = longWords.length > 0 && longWords.every((word) => /^\p{Lu}/u.test(word))
  const isWord = /^\p{Lu}\p{Ll}*[,’'-]?\p{Ll}*$/u.test(first)
  return isWord && !isTitleCase && !dayOrMonth.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text
}

export function describeDocument(title: string, headings: readonly string[]): QuestionContext {
  const isNamed = documentNoun.test(title)
  return {
    name: isNamed ? `the ${lowerFirst(title)}` : null,
    hasRules: rulesNoun.test(title),
    // In some other languages, nouns keep their capital within a sentence.
    isEnglish: isNamed || [title, ...headings].some((text) => englishWord.test(text)),
  }
}

const auxiliary = '(?:are|can|could|did|do|does|has|have|is|may|must|should|was|were|will|would)'
const plural =
  '(?:addresses|allowances|benefits|conditions|contacts|costs|dates|deadlines|duties|exceptions|fees|hours|limits|periods|prices|rates|requirements|responsibilities|roles|rules|steps|times|values)'
const singular =
  '(?:address|allowance|budget|deadline|fee|limit|period|price|procedure|process|rate|schedule)'
const processNoun =
  '(?:approval|authentication|authorization|backup|billing|cancellation|configuration|delivery|deployment|enrollment|escalation|installation|invoicing|migration|offboarding|onboarding|payment|recovery|recruitment|registration|reimbursement|review|setup|verification)'
const preposition = '(?:at|by|for|in|of|on|per)'

const openings: Record<string, string> = {
  how: 'How do I',
  what: 'What should I',
  when: 'When should I',
  where: 'Where do I',
  who: 'Who should I',
}

function withArticle(text: string): string {
  const lowered = lowerFirst(text)
  return /^(?:my|our|the)\b/i.test(lowered) ? lowered : `the ${lowered}`
}

/** A single word, such as “Limits”, says too little without the document. */
function addDocument(text: string, { name }: QuestionContext): string {
  return text.includes(' ') || name === null ? '' : ` in ${name}`
}

interface Form {
  heading: RegExp
  /** Null if the heading makes no question in this document. */
  word: (text: string, context: QuestionContext) => string | null
}

/** The first form that fits the heading is used. */
const forms: readonly Form[] = [
  {
    heading: /^(?:how|what|when|where|who) to ./i,
    word: (text) => {
      const [word = '', , ...rest] = text.split(' ')
      return `${openings[word.toLowerCase()]} ${rest.join(' ')}?`
    },
  },
  {
    heading: new RegExp(`^(?:how|what|when|where|which|who|why) ${auxiliary} .`, 'i'),
    word: (text) => `${text}?`,
  },
  {
    heading: /^(?:how|what|when|where|which|who|why) ./i,
    word: (text) => `Can you explain ${lowerFirst(text)}?`,
  },
  { heading: /^(?:scope|applicability)$/i, word: (_, { name }) => name && `What does ${name} cover?` },
  {
    heading: /^(?:purpose|aims?|goals?|objectives?)$/i,
    word: (_, { name }) => name && `What is the purpose of ${name}?`,
  },
  {
    heading: /^(?:.+ )?menu(?: of .+)?$/i,
    word: (text) => `What is on ${withArticle(text)}?`,
  },
  {
    heading: new RegExp(`^(?:.+ )?${plural}$|^${plural} ${preposition} .`, 'i'),
    word: (text, context) => `What are ${withArticle(text)}${addDocument(text, context)}?`,
  },
  {
    heading: new RegExp(`^(?:.+ )?${singular}$|^${singular} ${preposition} .`, 'i'),
    word: (text, context) => `What is ${withArticle(text)}${addDocument(text, context)}?`,
  },
  {
    heading: new RegExp(`^(?:.+ )?${processNoun}$`, 'i'),
    word: (text) => `How does ${lowerFirst(text)} work?`,
  },
]

/** “What to do if you lose your key” becomes “What to do if I lose my key”. */
function asReader(text: string): string {
  return text
    .replaceAll(/\byour\b/gi, 'my')
    .replaceAll(/\byou are\b/gi, 'I am')
    .replaceAll(/\bif you\b/gi, 'if I')
}

/** A question whose answer is below the heading, worded as a colleague would ask it. */
export function wordQuestion(heading: string, context: QuestionContext): string | null {
  if (heading.endsWith('?')) return heading
  if (!context.isEnglish) return `What should I know about “${heading}”?`
  const text = asReader(heading)
  const form = forms.find((candidate) => candidate.heading.test(text))
  if (form !== undefined) return form.word(text, context)
  const topic = / of /.test(text) ? withArticle(text) : lowerFirst(text)
  return context.hasRules ? `What are the rules for ${topic}?` : `What should I know about ${topic}?`
}
