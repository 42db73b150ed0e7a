import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  describeMachine,
  type Measure,
  type Measurement,
  type Options,
  printMeasurement,
  readLoad,
} from './figures.ts'
import { analytics } from './measures/analytics.ts'
import { backup } from './measures/backup.ts'
import { brokerFaults } from './measures/broker-faults.ts'
import { bundle } from './measures/bundle.ts'
import { chatScreen } from './measures/chat-screen.ts'
import { clusterFaults } from './measures/cluster-faults.ts'
import { faults } from './measures/faults.ts'
import { history } from './measures/history.ts'
import { hotRows } from './measures/hot-rows.ts'
import { lighthouse } from './measures/lighthouse.ts'
import { links } from './measures/links.ts'
import { lists } from './measures/lists.ts'
import { longPdf } from './measures/long-pdf.ts'
import { memory } from './measures/memory.ts'
import { overload } from './measures/overload.ts'
import { replyKills } from './measures/reply-kills.ts'
import { replySoak } from './measures/reply-soak.ts'
import { retrieval } from './measures/retrieval.ts'
import { scale } from './measures/scale.ts'
import { signIn } from './measures/sign-in.ts'
import { soak } from './measures/soak.ts'
import { start } from './measures/start.ts'
import { streams } from './measures/streams.ts'
import { upgrade } from './measures/upgrade.ts'

const measures: readonly Measure[] = [
  bundle,
  chatScreen,
  lighthouse,
  start,
  memory,
  streams,
  overload,
  scale,
  hotRows,
  links,
  lists,
  history,
  retrieval,
  longPdf,
  signIn,
  backup,
  analytics,
  faults,
  brokerFaults,
  clusterFaults,
  replyKills,
  replySoak,
  soak,
  upgrade,
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    rounds: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    beside: { type: 'string' },
  },
})

const unknown = positionals.filter((name) => !measures.some((measure) => measure.name === name))
if (unknown.length > 0) {
  console.error(
    `Unknown measurement: ${unknown.join(', ')}. Available measurements: ${measures.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}

if (values.beside !== undefined && values.beside !== 'open-webui') {
  console.error('The only value of --beside is open-webui.')
  process.exit(2)
}

const options: Options = {
  seed: values.seed === undefined ? randomInt(2 ** 32) : Number(values.seed),
  minutes: values.minutes === undefined ? null : Number(values.minutes),
  rounds: values.rounds === undefined ? null : Number(values.rounds),
  onPostgres: values.postgres,
  besideOpenWebui: values.beside === 'open-webui',
}
const measured: Measurement[] = []
for (const { name, title, isLong = false, run } of measures) {
  if (positionals.length > 0 ? !positionals.includes(name) : isLong) continue
  const before = readLoad()
  const begun = performance.now()
  const figures = await run((step) => console.error(`${name}: ${step}`), options)
  const seconds = (performance.now() - begun) / 1000
  const measurement: Measurement = { name, title, figures, seconds, load: [before, readLoad()] }
  measured.push(measurement)
  printMeasurement(measurement)
}

if (values.out) {
  const result = { date: new Date().toISOString().slice(0, 10), machine: describeMachine(), measured }
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
}
