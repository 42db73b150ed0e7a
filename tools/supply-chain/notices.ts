import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import { readLicense } from './licenses.ts'
import { type Lockfile, listPackages } from './lockfile.ts'

const noText = 'These packages contain no license text, or are for other systems than this one.'
const licenseFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i

/** The texts of a package's license files; empty if it is not installed here or has none. */
function readLicenseTexts(path: string): string[] {
  const folder = join(root, path)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && licenseFile.test(file.name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .filter((text) => text.length > 10)
}

/** Names every package that the product is delivered with, its license, and the license's text. */
export function createNotices(lockfile: Lockfile): string {
  const byText = new Map<string, string[]>()
  for (const found of listPackages(lockfile)) {
    if (found.entry.dev) continue
    const title = `${found.name} ${found.entry.version} (${readLicense(found)})`
    const text = readLicenseTexts(found.path).join('\n\n') || noText
    const titles = byText.get(text) ?? []
    if (!titles.includes(title)) titles.push(title)
    byText.set(text, titles)
  }
  const sections = [...byText].map(([text, titles]) => `${titles.join('\n')}\n\n${text}\n`)
  const intro =
    'Lyceum is delivered with these packages. docs/licenses.md explains which licenses are allowed.\n'
  return [intro, ...sections].join(`\n${'-'.repeat(80)}\n\n`)
}
