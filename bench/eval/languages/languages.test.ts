import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkClaims, createClaimScores, createClaims, createFormFinder } from './claims.ts'
import { createPageFile, getManual, helpPageIds, type Manual, readPagesWithAnswers } from './manuals.ts'
import { measureUntranslated, readBlocks } from './markup.ts'
import {
  listLanguages,
  listPagesWithAnswers,
  readFollowUpFile,
  readQuestionFile,
  selectFollowUps,
  selectQuestions,
  typeWithoutMarks,
} from './question-file.ts'

const english =
  'Choose the keyboard that matches the language you want to type in. You can choose another one after the installation, with the settings of your desktop, and add as many of them as you like to the menu.'
const german =
  'Wählen Sie die Tastatur, die zu der Sprache passt, in der Sie schreiben möchten. Nach der Installation können Sie in den Einstellungen der Arbeitsumgebung eine andere wählen oder weitere hinzufügen.'

describe('readPagesWithAnswers', () => {
  const pageCount = 60
  let folder: string
  let manual: Manual
  const answering = ['page-0', 'page-1']

  function writePages(language: string, pages: readonly (readonly [title: string, text: string])[]): void {
    mkdirSync(join(folder, language))
    const sections = pages.map(
      ([title, text], at) =>
        `<h3 class="title"><a name="page-${at}"></a>${at + 1}.2. ${title}</h3><p>${text}</p>`,
    )
    const navigation = '<div class="navheader"><table><tr><td>Next</td></tr></table></div>'
    writeFileSync(join(folder, language, 'ch01.html'), `${navigation}${sections.join('\n')}`)
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lyceum-manual-'))
    manual = { ...getManual('installation-guide'), findFolder: (code) => join(folder, code) }
    writePages('en', Array(pageCount + 1).fill(['Keyboard', english]))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('rejects a manual that is hardly translated', () => {
    writePages('de', [...Array(pageCount - 1).fill(['Tastatur', german]), ['Tastatur', english]])
    expect(() => readPagesWithAnswers(manual, 'de', answering)).toThrow(
      'Only 59 pages are translated into de',
    )
  })

  it('rejects a question whose page is not translated or does not exist', () => {
    writePages('de', [['Tastatur', english], ...Array(pageCount).fill(['Tastatur', german])])
    expect(() => readPagesWithAnswers(manual, 'de', ['page-0', 'page-99'])).toThrow(
      'Pages are missing or not translated into de: page-0, page-99',
    )
  })

  it('returns translated pages with their own titles, without numbers and navigation', () => {
    writePages('de', Array(pageCount).fill(['Die Tastatur', german]))
    const pages = readPagesWithAnswers(manual, 'de', answering)
    expect(pages).toHaveLength(pageCount)
    expect(pages[0]).toEqual({ id: 'page-0', title: 'Die Tastatur', blocks: [german] })
    expect(createPageFile({ id: 'a/b', title: 'T', blocks: ['one', 'two'] })).toEqual({
      name: 'a-b.txt',
      title: 'T',
      content: 'one\n\ntwo',
    })
  })
})

describe('measureUntranslated', () => {
  it('counts text in the language of the original, also around a translated reference', () => {
    expect(measureUntranslated([], [english])).toBe(1)
    expect(measureUntranslated([english], [english])).toBe(1)
    expect(measureUntranslated([`${english} (siehe Kapitel 3)`], [english])).toBe(1)
    expect(measureUntranslated([german, english], [english])).toBeCloseTo(0.5, 1)
  })

  it('ignores names that are the same in each language', () => {
    expect(measureUntranslated([german], [english])).toBe(0)
    expect(measureUntranslated(['在 LibreOffice 中打开文件'], ['Open the file in LibreOffice'])).toBe(0)
  })
})

describe('readBlocks', () => {
  it('returns the text that a reader sees, a block for each paragraph', () => {
    const markup =
      '<h2>A&#160;&lt;title&gt;</h2><script>no()</script><p>Press\n <span hidden="true" id="MAC1" class="MAC">' +
      '<span class="key">Command</span></span><span hidden="true" id="default1">Ctrl</span>+Z<sup>[1]</sup>.</p>' +
      '<ul><li><p>First</p></li><li>Second<indexterm><primary>x</primary></indexterm></li></ul>'
    expect(readBlocks(markup)).toEqual(['A <title>', 'Press Ctrl+Z.', 'First', 'Second'])
  })
})

const scripts: Readonly<Record<string, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  el: /\p{Script=Greek}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  ru: /\p{Script=Cyrillic}/u,
  th: /\p{Script=Thai}/u,
  zh: /\p{Script=Han}/u,
}

describe.each(listLanguages())('questions in %s', (language) => {
  const file = readQuestionFile(language)
  const all = selectQuestions(file, null)
  const texts = [...all.answerable.map(({ question }) => question), ...all.unrelated]

  it('are distinct, and in the language', () => {
    expect(new Set(texts).size).toBe(texts.length)
    for (const text of texts) {
      expect(text).toBe(text.normalize('NFC').trim())
      expect(text).toMatch(scripts[language] ?? /\p{Script=Latin}{2}/u)
    }
  })

  it('have one page each, in a manual that is known', () => {
    expect(getManual(file.manual).listPackages('en')).not.toHaveLength(0)
    const ids = all.answerable.map(({ pageId }) => pageId)
    expect(new Set(ids).size).toBe(ids.length)
    if (file.manual === 'libreoffice-help') expect(helpPageIds).toEqual(expect.arrayContaining(ids))
  })

  it('are a third reworded, with enough of each kind', () => {
    const reworded = Object.keys(file.reworded).length
    expect(Object.keys(file.close)).toHaveLength(2 * reworded)
    expect(reworded).toBeGreaterThanOrEqual(16)
    expect(file.unrelated).toHaveLength(30)
    expect(all.answerable.filter(({ isNearMiss }) => isNearMiss).length).toBeGreaterThanOrEqual(16)
  })

  it('are split into halves that share nothing and have the same mix', () => {
    const [choose, confirm] = (['choose', 'confirm'] as const).map((half) => selectQuestions(file, half))
    function countKinds(half: typeof choose) {
      const pages = half?.answerable.map(({ pageId }) => pageId) ?? []
      return {
        close: pages.filter((id) => id in file.close).length,
        reworded: pages.filter((id) => id in file.reworded).length,
        nearMisses: half?.answerable.filter(({ isNearMiss }) => isNearMiss).length,
        unrelated: half?.unrelated.length,
      }
    }
    expect(countKinds(choose)).toEqual(countKinds(confirm))
    const halves = [choose, confirm].flatMap((half) => half?.answerable ?? [])
    expect(halves).toHaveLength(all.answerable.length)
    expect(halves).toEqual(expect.arrayContaining(all.answerable))
    expect([choose, confirm].flatMap((half) => half?.unrelated ?? []).toSorted()).toEqual(
      file.unrelated.toSorted(),
    )
  })
})

describe.each(['de', 'en', 'es'])('follow-up questions in %s', (language) => {
  const file = readFollowUpFile(language) ?? { samePage: [], otherPage: [] }
  const all = selectFollowUps(file, null)

  it('are distinct, and about pages that every language has', () => {
    const texts = all.map(({ question, earlier }) => `${earlier.question} ${question}`)
    expect(new Set(texts).size).toBe(36)
    for (const text of texts) expect(text).toBe(text.normalize('NFC').trim())
    expect(helpPageIds).toEqual(
      expect.arrayContaining(listPagesWithAnswers({ close: {}, reworded: {} }, file)),
    )
  })

  it('are half about the page of the earlier question, and half about another', () => {
    expect(file.samePage).toHaveLength(18)
    expect(file.otherPage).toHaveLength(18)
    for (const { pageId, earlier } of file.samePage) expect(pageId).toBe(earlier.pageId)
    for (const { pageId, earlier } of file.otherPage) expect(pageId).not.toBe(earlier.pageId)
  })

  it('are split into halves that share nothing', () => {
    const halves = (['choose', 'confirm'] as const).map((half) => selectFollowUps(file, half))
    expect(halves.map((half) => half.length)).toEqual([18, 18])
    expect(halves.flat()).toHaveLength(all.length)
    expect(halves.flat()).toEqual(expect.arrayContaining(all))
  })
})

describe('readFollowUpFile', () => {
  it('returns null for a language without follow-up questions', () => {
    expect(readFollowUpFile('th')).toBeNull()
  })
})

describe('typeWithoutMarks', () => {
  it('returns null for a language whose users type all marks', () => {
    expect(typeWithoutMarks('de', 'Wie öffne ich das?')).toBeNull()
  })

  it.each([
    ['ar', 'أين الإعدادات المتقدمة وإلى متى؟', 'اين الاعدادات المتقدمه والي متي؟'],
    ['el', 'Πώς αλλάζω το μέγεθος;', 'Πως αλλαζω το μεγεθος;'],
    ['ro', 'Cum șterg fișierele și împart discul?', 'Cum sterg fisierele si impart discul?'],
    ['tr', 'Işığı nasıl açarım, İstanbul?', 'Isigi nasil acarim, Istanbul?'],
    ['vi', 'Đường dẫn của tập tin ở đâu?', 'Duong dan cua tap tin o dau?'],
  ])('removes the marks that users of %s leave out', (language, question, typed) => {
    expect(typeWithoutMarks(language, question)).toBe(typed)
  })

  it.each(['ar', 'el', 'ro', 'tr', 'vi'])('changes at least 20 questions in %s', (language) => {
    const { answerable } = selectQuestions(readQuestionFile(language), null)
    const changed = answerable.filter(({ question }) => typeWithoutMarks(language, question) !== question)
    expect(changed.length).toBeGreaterThanOrEqual(20)
  })
})

describe('createFormFinder', () => {
  it('finds the most common form with another ending', () => {
    const findForm = createFormFinder(['The cells and a cell. Cells, cells, celled. A cellar.'], 'en')
    expect(findForm('cell')).toBe('cells')
    expect(findForm('cells')).toBe('cell')
    expect(findForm('tables')).toBeNull()
  })
})

describe('createClaims', () => {
  const sentence = 'Choose the sheet that you want to print and press the green button.'
  const sources = [
    {
      documentId: 'a',
      title: 'Printing',
      headingPath: [],
      text: `${sentence} Then wait for all of the pages to leave the printer.`,
    },
    { documentId: 'b', title: 'Printing', headingPath: [], text: `Read this. ${sentence}` },
    { documentId: 'b', title: 'Colors', headingPath: [], text: 'A green cell is one that was changed.' },
    { documentId: 'a', title: 'Printing', headingPath: [], text: 'Paper jams are described elsewhere.' },
  ]
  const claims = createClaims(sources, 1, {
    question: 'How do I print a sheet?',
    language: 'en',
    findForm: (word) => (word === 'button' ? 'buttons' : null),
    unseen: 'A master document collects several files under one common table of contents.',
  })

  it('makes claims of each kind from a sentence', () => {
    expect(claims.slice(0, 4).map(({ kind, text }) => [kind, text])).toEqual([
      ['verbatim', sentence],
      ['reworded', 'print press the green buttons, Choose the sheet you want to'],
      ['joined', 'Choose the sheet that you want to, pages to leave the printer.'],
      ['with the question', 'How do I print a sheet: Choose the sheet that you want to print'],
    ])
    expect(claims.at(-1)).toMatchObject({
      kind: 'not in the sources',
      text: 'How do I print a sheet: A master document collects several files under one',
      right: null,
      other: 1,
    })
  })

  it('cites a wrong source only if it does not contain the sentence', () => {
    expect(claims[0]).toMatchObject({ right: 1, neighbor: 4, other: 3 })
  })

  it('counts accepted citations by what is wrong with them', () => {
    const scores = createClaimScores()
    checkClaims(sources, claims, scores)
    expect(scores.right.verbatim).toEqual({ claims: 2, accepted: 2 })
    expect(scores.neighbor).toEqual({ claims: 7, accepted: 0 })
    expect(scores.unseen).toEqual({ claims: 1, accepted: 0 })
  })
})
