import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface QuestionFile {
  /** The manual that answers the questions, by its name in `manuals`. */
  manual: string
  /** Questions by the page that answers them, in words that are close to the page's. */
  close: Readonly<Record<string, string>>
  /** Questions by page, with synonyms or other forms of the words. */
  reworded: Readonly<Record<string, string>>
  /** Everyday questions that no page answers. */
  unrelated: readonly string[]
}

export interface AnswerableQuestion {
  pageId: string
  question: string
  /** Whether its page is removed before it is asked again. */
  isNearMiss: boolean
}

export interface Questions {
  answerable: AnswerableQuestion[]
  unrelated: string[]
}

/** A question as it is asked after an earlier one, and the pages that answer both. */
export interface FollowUp {
  pageId: string
  question: string
  earlier: { pageId: string; question: string }
}

export interface FollowUpFile {
  samePage: readonly FollowUp[]
  otherPage: readonly FollowUp[]
}

/** The half by which changes are chosen, and the half that confirms them. */
export type Half = 'choose' | 'confirm'

const folder = new URL('questions/', import.meta.url)
const followUpFolder = new URL('follow-ups/', import.meta.url)

export function listLanguages(): string[] {
  return readdirSync(fileURLToPath(folder))
    .map((name) => name.replace(/\.json$/, ''))
    .toSorted()
}

export function readQuestionFile(language: string): QuestionFile {
  const path = new URL(`${language}.json`, folder)
  if (!existsSync(path)) throw new Error(`There are no questions in ${language}.`)
  return JSON.parse(readFileSync(path, 'utf8')) as QuestionFile
}

/** Null for a language without follow-up questions. */
export function readFollowUpFile(language: string): FollowUpFile | null {
  const path = new URL(`${language}.json`, followUpFolder)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as FollowUpFile) : null
}

/** The pages that answer the questions of a language. */
export function listPagesWithAnswers(
  { close, reworded }: Pick<QuestionFile, 'close' | 'reworded'>,
  followUps: FollowUpFile | null,
): string[] {
  const { samePage = [], otherPage = [] } = followUps ?? {}
  return [
    ...[close, reworded].flatMap(Object.keys),
    ...[...samePage, ...otherPage].flatMap(({ pageId, earlier }) => [pageId, earlier.pageId]),
  ]
}

/** Whether the item at this position of a list belongs to a half: they alternate. */
function belongsTo(half: Half | null, at: number): boolean {
  return half === null || at % 2 === (half === 'choose' ? 0 : 1)
}

/** Returns the questions of a half, or all of them. Every third pair of questions are near misses too. */
export function selectQuestions({ close, reworded, unrelated }: QuestionFile, half: Half | null): Questions {
  return {
    answerable: [close, reworded].flatMap((group) =>
      Object.entries(group)
        .map(([pageId, question], at) => ({ pageId, question, isNearMiss: Math.floor(at / 2) % 3 === 1 }))
        .filter((_, at) => belongsTo(half, at)),
    ),
    unrelated: unrelated.filter((_, at) => belongsTo(half, at)),
  }
}

/** Returns the follow-up questions of a half, or all of them. */
export function selectFollowUps({ samePage, otherPage }: FollowUpFile, half: Half | null): FollowUp[] {
  return [samePage, otherPage].flatMap((group) => group.filter((_, at) => belongsTo(half, at)))
}

/** Languages whose readers often type without the marks. */
const typedWithoutMarks: Readonly<Record<string, (text: string) => string>> = {
  ar: (text) => text.replace(/[أإآ]/g, 'ا').replaceAll('ة', 'ه').replaceAll('ى', 'ي'),
  el: removeMarks,
  ro: removeMarks,
  tr: (text) => removeMarks(text).replaceAll('ı', 'i'),
  vi: (text) => removeMarks(text).replaceAll('đ', 'd').replaceAll('Đ', 'D'),
}

function removeMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')
}

/** Returns a question as users of the language often type it; null if they type it with all marks. */
export function typeWithoutMarks(language: string, question: string): string | null {
  return typedWithoutMarks[language]?.(question) ?? null
}
