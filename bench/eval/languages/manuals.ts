import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CorpusFile } from '../corpus.ts'
import { measureUntranslated, readBlocks } from './markup.ts'
import { readQuestionFile } from './question-file.ts'

/** A page of a manual, or a section of a long page. The id is the same in each language. */
export interface ManualPage {
  id: string
  title: string
  blocks: string[]
}

export interface Manual {
  /** The Debian packages with the text of a language and with the English original. */
  listPackages(code: string): string[]
  findFolder(code: string): string
  /** The manual's codes of languages, where they differ from ours. */
  codes: Readonly<Record<string, string>>
  readPages(folder: string): ManualPage[]
}

/** A page counts as translated if at most this share of it is English. */
const maxUntranslated = 0.15
/** Pages whose English original is shorter, in characters, only refer to others. */
const minLength = 200
/** With fewer pages, finding the right one proves little. */
const minPages = 60

function readFiles(folder: string, pattern: string): string[] {
  return globSync(pattern, { cwd: folder })
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

/** Splits a manual at its headings. Text before the first heading is left out. */
function splitSections(markup: string, heading: RegExp): ManualPage[] {
  const parts = markup.split(heading).slice(1)
  const pages: ManualPage[] = []
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [id = '', title = '', body = ''] = parts.slice(at, at + 3)
    pages.push({
      id,
      title: readBlocks(title)
        .join(' ')
        .replace(/^(?:[A-Z]|\d+)(?:\.\d+)*\.\s+/, ''),
      blocks: readBlocks(body),
    })
  }
  return pages
}

/** The numbered headings of a manual that DocBook's stylesheets turned into HTML. */
const htmlHeading = /<h\d class="title"[^>]*>\s*<a (?:xmlns="" )?(?:id|name)="([^"]+)"><\/a>([\s\S]*?)<\/h\d>/
/** A page of the help has its heading, the text, and links to related pages. */
const helpHeading = /<h1\b[^>]*>([\s\S]*?)<\/h1>/

function readHelpPage(folder: string, id: string): ManualPage[] {
  const path = join(folder, `${id}.html`)
  if (!existsSync(path)) return []
  const markup = readFileSync(path, 'utf8').split(/<a name="relatedtopics">|<div id="SearchFrame">/)[0] ?? ''
  const [, title = '', body = ''] = markup.split(helpHeading)
  return [{ id, title: readBlocks(title).join(' '), blocks: readBlocks(body) }]
}

/** The guides of the help that are translated into most languages. Other pages are left out in every language. */
export const helpPageIds: readonly string[] = JSON.parse(
  readFileSync(new URL('libreoffice-pages.json', import.meta.url), 'utf8'),
)

const manuals: Readonly<Record<string, Manual>> = {
  'libreoffice-help': {
    listPackages: (code) => [`libreoffice-help-${code.toLowerCase()}`, 'libreoffice-help-en-us'],
    findFolder: (code) => `/usr/share/libreoffice/help/${code}/text`,
    codes: { en: 'en-US', zh: 'zh-CN' },
    readPages: (folder) => helpPageIds.flatMap((id) => readHelpPage(folder, id)),
  },
  'installation-guide': {
    listPackages: () => ['installation-guide-amd64'],
    findFolder: (code) => `/usr/share/doc/installation-guide-amd64/${code}`,
    codes: {},
    readPages: (folder) =>
      readFiles(folder, '*.html').flatMap((markup) => splitSections(markup, htmlHeading)),
  },
  'debian-handbook': {
    listPackages: () => ['debian-handbook'],
    findFolder: (code) => `/usr/share/doc/debian-handbook/html/${code}`,
    codes: { ar: 'ar-MA', en: 'en-US' },
    readPages: (folder) =>
      readFiles(folder, '*.html').flatMap((markup) => splitSections(markup, htmlHeading)),
  },
  'mate-user-guide': {
    listPackages: () => ['mate-user-guide'],
    findFolder: (code) => `/usr/share/help/${code}/mate-user-guide`,
    codes: { en: 'C' },
    readPages: (folder) =>
      readFiles(folder, 'gos*.xml').flatMap((markup) =>
        splitSections(
          markup,
          /<(?:section|chapter)\b[^>]*xml:id="([^"]+)"[^>]*>\s*<info>\s*<title>([\s\S]*?)<\/title>[\s\S]*?<\/info>/,
        ),
      ),
  },
}

export function getManual(name: string): Manual {
  const manual = manuals[name]
  if (!manual) throw new Error(`There is no manual ${name}.`)
  return manual
}

function getCode(manual: Manual, language: string): string {
  return manual.codes[language] ?? language
}

function getFolder(manual: Manual, language: string): string {
  return manual.findFolder(getCode(manual, language))
}

/** Returns a sentence if the manual of any of the languages is not installed, else null. */
export function describeMissingManuals(languages: readonly string[]): string | null {
  const packages = languages.flatMap((language) => {
    const manual = getManual(readQuestionFile(language).manual)
    const isInstalled = [language, 'en'].every((read) => existsSync(getFolder(manual, read)))
    return isInstalled ? [] : manual.listPackages(getCode(manual, language))
  })
  return packages.length === 0
    ? null
    : `The evaluation reads manuals of Debian packages that are not all installed here: apt-get install -y --no-install-recommends ${[...new Set(packages)].toSorted().join(' ')}`
}

/** Returns the pages that are long enough and really in the language. Throws if too few of them are. */
function readTranslatedPages(manual: Manual, language: string): ManualPage[] {
  const originals = new Map(
    manual
      .readPages(getFolder(manual, 'en'))
      .filter(({ blocks }) => blocks.join(' ').length >= minLength)
      .map(({ id, blocks }) => [id, blocks]),
  )
  const pages = manual.readPages(getFolder(manual, language)).filter(({ id, blocks }) => {
    const original = originals.get(id)
    return original && (language === 'en' || measureUntranslated(blocks, original) <= maxUntranslated)
  })
  if (pages.length < minPages)
    throw new Error(`Only ${pages.length} pages are translated into ${language}; ${minPages} are needed.`)
  return pages
}

/** Returns the pages of a language. Throws if one that answers a question is not among them. */
export function readPagesWithAnswers(
  manual: Manual,
  language: string,
  pagesWithAnswers: readonly string[],
): ManualPage[] {
  const pages = readTranslatedPages(manual, language)
  const ids = new Set(pages.map(({ id }) => id))
  const missing = pagesWithAnswers.filter((id) => !ids.has(id))
  if (missing.length > 0)
    throw new Error(`Pages are missing or not translated into ${language}: ${missing.join(', ')}`)
  return pages
}

/** Returns a page as a text file, whose title is the page's own. */
export function createPageFile({ id, title, blocks }: ManualPage): CorpusFile {
  return { name: `${id.replaceAll('/', '-')}.txt`, title, content: blocks.join('\n\n') }
}
