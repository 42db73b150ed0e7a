import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { describeMissingTexts } from './corpus.ts'
import { engines } from './engines.ts'
import { describeMissingManuals } from './languages/manuals.ts'
import { printLanguages } from './languages/print.ts'
import { type Half, listLanguages } from './languages/question-file.ts'
import { printOutside } from './outside/print.ts'
import { printResults } from './print.ts'

const { values, positionals } = parseArgs({
  options: {
    out: { type: 'string' },
    search: { type: 'string', default: 'sqlite' },
    languages: { type: 'boolean', default: false },
    outside: { type: 'boolean', default: false },
    half: { type: 'string' },
  },
  allowPositionals: true,
})
const engine = engines[values.search]
const languages = positionals[0]?.split(',') ?? listLanguages()
/** Files whose names end with their language, such as xquad.hi.json. */
const sets = positionals.map((path) => ({ path, language: /\.([a-z]{2})\.json$/.exec(path)?.[1] ?? 'en' }))
const halves: Readonly<Record<string, Half>> = { choose: 'choose', confirm: 'confirm' }

function describeFault(): string | null {
  if (values.outside)
    return values.languages || values.half !== undefined || sets.length === 0
      ? 'Name the files of the sets after --outside, without --languages and --half.'
      : null
  const unknown = languages.find((language) => !listLanguages().includes(language))
  if (!values.languages)
    return positionals.length > 0 || values.half !== undefined
      ? 'A list of languages and --half are only for --languages.'
      : describeMissingTexts()
  if (unknown) return `There are no questions in ${unknown}, only in ${listLanguages().join(', ')}.`
  if (values.half !== undefined && !halves[values.half])
    return `--half must be one of ${Object.keys(halves).join(', ')}.`
  return describeMissingManuals(languages)
}

function writeResults(results: unknown): void {
  if (values.out) writeFileSync(values.out, `${JSON.stringify(results, null, 2)}\n`)
}

function logStep(step: string): void {
  console.error(step)
}

const fault = describeFault()
if (fault) {
  console.error(fault)
  process.exit(1)
}
if (!engine) {
  console.error(`--search must be one of ${Object.keys(engines).join(', ')}.`)
  process.exit(1)
}
try {
  const settings = await engine.start()
  // The modules are loaded only now, because those of the tests read which database there is.
  if (values.languages) {
    const { evaluateLanguages } = await import('./languages/evaluate.ts')
    const half = values.half === undefined ? null : (halves[values.half] ?? null)
    const scores = await evaluateLanguages(settings, languages, half, logStep)
    printLanguages(scores)
    writeResults(scores)
  } else if (values.outside) {
    const { evaluateOutside } = await import('./outside/evaluate.ts')
    const scores = await evaluateOutside(settings, sets, logStep)
    printOutside(scores)
    writeResults(scores)
  } else {
    const { evaluate } = await import('./evaluate.ts')
    const results = await evaluate(settings, logStep)
    printResults(results)
    writeResults(results)
    process.exitCode = results.broken.length > 0 ? 1 : 0
  }
} finally {
  await engine.stop()
}
