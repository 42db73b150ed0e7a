import { posix } from 'node:path'

const page = 'docs/asvs.md'

/** The requirements of OWASP ASVS 5.0.0 at levels 1 and 2, by section. */
const sections: Readonly<Record<string, number>> = {
  '1.1': 2,
  '1.2': 9,
  '1.3': 11,
  '1.4': 3,
  '1.5': 2,
  '2.1': 3,
  '2.2': 3,
  '2.3': 4,
  '2.4': 1,
  '3.2': 2,
  '3.3': 4,
  '3.4': 6,
  '3.5': 5,
  '3.7': 2,
  '4.1': 3,
  '4.2': 1,
  '4.3': 2,
  '4.4': 4,
  '5.1': 1,
  '5.2': 3,
  '5.3': 2,
  '5.4': 3,
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
  '11.1': 2,
  '11.2': 3,
  '11.3': 3,
  '11.4': 4,
  '11.5': 1,
  '11.6': 1,
  '12.1': 3,
  '12.2': 2,
  '12.3': 4,
  '13.1': 1,
  '13.2': 5,
  '13.3': 2,
  '13.4': 5,
  '14.1': 2,
  '14.2': 4,
  '14.3': 3,
  '15.1': 3,
  '15.2': 3,
  '15.3': 7,
  '16.1': 1,
  '16.2': 5,
  '16.3': 4,
  '16.4': 3,
  '16.5': 3,
  '17.1': 1,
  '17.2': 4,
  '17.3': 2,
}

export const requirementIds: readonly string[] = Object.entries(sections).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, at) => `${section}.${at + 1}`),
)

interface Row {
  id: string
  result: string
  shownBy: string
}

interface Chapter {
  title: string
  rows: Row[]
}

/** The cells of a row of a table, or undefined. */
function readCells(line: string): string[] | undefined {
  return line.startsWith('|')
    ? line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
    : undefined
}

function readChapters(text: string): Chapter[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf('\n')),
      rows: part.split('\n').flatMap((line) => {
        const [id = '', , , result = '', , shownBy = ''] = readCells(line) ?? []
        return /^\d/.test(id) ? [{ id, result: result.replaceAll('*', ''), shownBy }] : []
      }),
    }))
}

function count(rows: readonly Row[], result: string): number {
  return rows.filter((row) => row.result === result).length
}

/** The line of the summary that belongs to these rows. */
function summarize(rows: readonly Row[]): string {
  const [met, none, deviations] = ['met', 'n/a', 'deviation'].map((result) => count(rows, result))
  return [rows.length, met, none, deviations].join(' | ')
}

function findIdFaults(rows: readonly Row[]): string[] {
  const found = rows.map(({ id }) => id)
  return [
    ...requirementIds.filter((id) => !found.includes(id)).map((id) => `${id} is missing`),
    ...found.filter((id) => !requirementIds.includes(id)).map((id) => `${id} is not a requirement`),
    ...found.filter((id, at) => found.indexOf(id) !== at).map((id) => `${id} is listed twice`),
  ]
}

function findRowFaults({ id, result, shownBy }: Row): string[] {
  if (result === 'n/a') return shownBy === '–' ? [] : [`${id} does not apply, so no test shows it`]
  if (result !== 'met' && result !== 'deviation') return [`${id} has no result`]
  const targets = [...shownBy.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
  if (targets.length === 0 && shownBy !== 'no test') return [`${id} names no test`]
  return targets
    .filter((target) => !/\.test\.tsx?$/.test(target))
    .map((target) => `${id}: ${target} is no test`)
}

function findSummaryFaults(text: string, chapters: readonly Chapter[]): string[] {
  const rows = chapters.flatMap((chapter) => chapter.rows)
  const summary = (text.split(/^## /m)[0] ?? '').replaceAll('*', '')
  const expected = [
    ...chapters.map(({ title, rows: own }) => ({ of: `[${title}]`, line: summarize(own) })),
    { of: '| all', line: summarize(rows) },
  ]
  const untested = rows.filter(({ shownBy }) => shownBy === 'no test').length
  return [
    ...expected
      .filter(
        ({ of, line }) =>
          !summary.split('\n').some((text) => text.includes(of) && text.includes(`| ${line} |`)),
      )
      .map(({ of, line }) => `the summary of ${of.replace(/[[\]|]/g, '').trim()} must be ${line}`),
    ...(summary.includes(`${untested} requirements`) ? [] : [`no test shows ${untested} requirements`]),
  ]
}

/** Finds what docs/asvs.md says wrongly: about requirements, files or its own counts. */
export function findAsvsFaults(text: string, exists: (path: string) => boolean): string[] {
  const chapters = readChapters(text)
  const rows = chapters.flatMap((chapter) => chapter.rows)
  const files = [...text.matchAll(/\]\((\.\.\/[^)#]+|[\w-]+\.md)/g)].map(([, file = '']) =>
    posix.join('docs', file),
  )
  return [
    ...findIdFaults(rows),
    ...rows.flatMap(findRowFaults),
    ...findSummaryFaults(text, chapters),
    ...[...new Set(files)].filter((file) => !exists(file)).map((file) => `there is no ${file}`),
  ].map((fault) => `${page}: ${fault}`)
}
