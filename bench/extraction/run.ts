import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createTextExtractor } from '../../server/src/providers/text-extraction/child-extractor.ts'
import { getKindByName } from '../../server/src/providers/text-extraction/sniff.ts'
import { formatFaults, formatFiles, formatSummary } from './report.ts'
import { type Trial, tryFile } from './try-file.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    keep: { type: 'string' },
    compare: { type: 'boolean', default: false },
  },
})

const [folder] = positionals
if (!folder) {
  console.error(
    [
      'Reads every PDF, DOC, DOCX and TXT file in a folder, as the server does, and reports the results.',
      'npm run bench:extraction -- <folder> [--compare] [--keep <folder of texts>] [--out <file.md or file.json>]',
    ].join('\n'),
  )
  process.exit(2)
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(getKindByName).sort()
const extractor = createTextExtractor()
const trials: Trial[] = []
for (const [index, file] of files.entries()) {
  const { trial, text } = await tryFile(extractor, join(folder, file), file, values.compare)
  trials.push(trial)
  const outcome =
    trial.outcome === 'ready' ? `${trial.characters} characters` : `${trial.outcome}: ${trial.fault}`
  console.error(`${index + 1}/${files.length} ${file}: ${outcome}, ${trial.seconds.toFixed(1)} s`)
  if (text && values.keep) {
    const kept = join(values.keep, `${file}.json`)
    mkdirSync(dirname(kept), { recursive: true })
    writeFileSync(kept, JSON.stringify(text))
    writeFileSync(join(values.keep, `${file}.out`), text.text)
  }
}
await extractor.close()

const report = [...formatSummary(trials), '', ...formatFaults(trials), '', ...formatFiles(trials), ''].join(
  '\n',
)
console.log([...formatSummary(trials), '', ...formatFaults(trials)].join('\n'))
if (values.out)
  writeFileSync(values.out, values.out.endsWith('.json') ? `${JSON.stringify(trials, null, 1)}\n` : report)
