import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** A file to upload. */
export interface CorpusFile {
  name: string
  title: string
  content: Buffer | string
}

export interface FaqSection {
  number: string
  /** Null for a heading that is not a question, and for the text before the first heading. */
  question: string | null
  body: string
}

export interface FaqChapter {
  name: string
  title: string
  sections: FaqSection[]
}

const packages = ['debian-faq', 'debian-reference-en', 'debian-policy', 'developers-reference', 'bash-doc']
const faqPath = '/usr/share/doc/debian/FAQ/debian-faq.en.txt.gz'
const policyFolder = '/usr/share/doc/debian-policy'
export const referenceTitle = 'Debian Reference'

const policyChapters = (
  'ap-pkg-alternatives ap-pkg-binarypkg ap-pkg-conffiles ap-pkg-controlfields ap-pkg-diversions ap-pkg-scope ' +
  'ap-pkg-sourcepkg ap-process ch-archive ch-binary ch-controlfields ch-customized-programs ch-docs ch-files ' +
  'ch-maintainerscripts ch-opersys ch-relationships ch-scope ch-sharedlibs ch-source upgrading-checklist'
).split(' ')
const developerChapters =
  'best-pkging-practices beyond-pkging developer-duties l10n new-maintainer pkgs resources scope tools'.split(
    ' ',
  )
const policyTexts = [
  'autopkgtest',
  'copyright-format-1.0',
  'debconf_specification',
  'menu-policy',
  'perl-policy',
]

const distractorPaths = [
  '/usr/share/debian-reference/debian-reference.en.pdf',
  '/usr/share/doc/bash/bashref.pdf',
  `${policyFolder}/fhs/fhs-3.0.pdf.gz`,
  ...policyChapters.map((name) => `${policyFolder}/policy.html/_sources/${name}.rst.txt`),
  ...developerChapters.map((name) => `/usr/share/developers-reference/_sources/${name}.rst.txt`),
  ...policyTexts.map((name) => `${policyFolder}/${name}.txt.gz`),
]

/** Returns a sentence if any of the texts is missing, else null. */
export function describeMissingTexts(): string | null {
  return [faqPath, ...distractorPaths].every((path) => existsSync(path))
    ? null
    : `The evaluation reads texts of Debian packages that are not all installed here: apt-get install -y --no-install-recommends ${packages.join(' ')}`
}

function read(path: string): Buffer {
  const bytes = readFileSync(path)
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

/** Everything except the FAQ: distractors that its sections must be distinguished from. */
export function readDistractors(): CorpusFile[] {
  return distractorPaths.map((path) => {
    const name = basename(path).replace(/\.gz$/, '').replace('.rst.txt', '.txt')
    const title = name.startsWith('debian-reference') ? referenceTitle : name.replace(/\.\w+$/, '')
    return { name, title, content: read(path) }
  })
}

/** A reference such as "Section 4.4, “How …?”" repeats the question where it is not answered. */
function withoutReferences(body: string): string {
  return body.replace(/(Section\s+\d+(?:\.\d+)+),\s+“[^”]*”/g, '$1')
}

const indent = /^ {4}/gm

/** Splits the FAQ's text version into chapters and sections. */
export function readFaq(): FaqChapter[] {
  const text = read(faqPath).toString('utf8').replaceAll('\u00a0', ' ')
  const chapters = text.split(/^Chapter \d+\. /m).slice(1)
  return chapters.map((chapter, at) => {
    const [title = '', ...rest] = chapter.split('\n')
    const parts = rest.join('\n').split(/^(\d+(?:\.\d+)+)\. ([^\n]+(?:\n[^\s][^\n]*)*)\n\n/m)
    const sections: FaqSection[] = [{ number: `${at + 1}`, question: null, body: parts[0] ?? '' }]
    for (let part = 1; part + 2 < parts.length; part += 3) {
      const heading = (parts[part + 1] ?? '').replace(/\s+/g, ' ').trim()
      sections.push({
        number: parts[part] ?? '',
        question: heading.includes('?') ? heading : null,
        body: parts[part + 2] ?? '',
      })
    }
    return {
      name: `faq-${String(at + 1).padStart(2, '0')}.txt`,
      title: title.trim(),
      sections: sections.map((section) => ({
        ...section,
        body: withoutReferences(section.body).replace(indent, '').trim(),
      })),
    }
  })
}

/** Returns a chapter as a file without its headings; sections can be left out. */
export function createChapterFile(
  { name, title, sections }: FaqChapter,
  isKept: (section: FaqSection) => boolean = () => true,
): CorpusFile {
  return {
    name,
    title,
    content: sections
      .filter((section) => section.body !== '' && isKept(section))
      .map(({ body }) => body)
      .join('\n\n'),
  }
}
