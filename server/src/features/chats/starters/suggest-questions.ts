import type { Outline } from '../../documents/retrieval/outlines.ts'
import { describeDocument, wordQuestion } from './word-question.ts'

/** Longer titles and headings make questions that nobody reads. */
const maxNameLength = 80

/** Headings of parts that guide the reader and answer nothing. */
const guideHeading =
  /^(?:how to (?:read|use) this\b.*|(?:table of )?contents|introduction|overview|general|background|summary|conclusions?|definitions|notes|miscellaneous|(?:further|more|other) information|related documents|preface|foreword|about this (?:document|handbook|guide|policy)|index|glossary|appendix(?: \w{1,3})?|references|(?:version|revision|change) history|changelog)$/i

/** A document's title without the extension of its file, because titles are file names unless changed. */
function nameDocument(title: string): string {
  const name = title.replace(/\.(?:pdf|docx?|txt)$/i, '').replaceAll('_', ' ')
  return (/\s/.test(name) ? name : name.replaceAll('-', ' ')).trim()
}

/** A heading without its number: “2.1 Hotel limits” becomes “Hotel limits”. */
function nameSection(heading: string): string {
  return heading
    .replace(/^(?:§\s*)?\d+(?:\.\d+)*[.):]?\s+/u, '')
    .replace(/\s*[:.]$/, '')
    .trim()
}

function isNameable(name: string): boolean {
  return name.length <= maxNameLength && /\p{L}{3}/u.test(name) && !/[“”\n]/.test(name)
}

/** Questions about the sections of one document, those below another heading first. */
function listQuestions({ title, headingPaths }: Outline): string[] {
  const document = nameDocument(title)
  if (!isNameable(document)) return []
  const sections = [
    ...headingPaths.filter((path) => path.length > 1),
    ...headingPaths.filter((path) => path.length === 1),
  ]
    .map((path) => nameSection(path.at(-1) ?? ''))
    .filter((section) => isNameable(section) && !guideHeading.test(section))
    .filter((section) => section.toLowerCase() !== document.toLowerCase())
  const context = describeDocument(document, sections)
  return [...new Set(sections.flatMap((section) => wordQuestion(section, context) ?? []))]
}

/** Takes turns between the documents, so that the questions show what the channel covers. */
export function suggestQuestions(outlines: readonly Outline[], limit: number): string[] {
  const perDocument = outlines.map(listQuestions)
  const questions = new Set<string>()
  for (let turn = 0; turn < limit; turn++)
    for (const candidates of perDocument) {
      const question = candidates[turn]
      if (question !== undefined && questions.size < limit) questions.add(question)
    }
  return [...questions]
}
