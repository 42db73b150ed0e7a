import { documentKinds } from '@lyceum/contract/documents'
import { median, percentile } from '../figures.ts'
import type { Trial } from './try-file.ts'

function formatSize(bytes: number): string {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1000))} kB`
}
function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
function formatRow(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`
}
function formatTable(head: readonly string[], rows: readonly string[]): string[] {
  return [formatRow(head), formatRow(head.map(() => '---')), ...rows]
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}

/** Outcomes and durations by file type. */
export function formatSummary(trials: readonly Trial[]): string[] {
  const head = [
    'Kind',
    'Files',
    'Ready',
    'Refused',
    'Failed',
    'Seconds p50',
    'p95',
    'max',
    'MB p50',
    'max',
    'Words found',
  ]
  const rows = documentKinds.flatMap((kind) => {
    const own = trials.filter((trial) => trial.kind === kind)
    if (own.length === 0) return []
    function countOutcomes(outcome: Trial['outcome']): number {
      return own.filter((trial) => trial.outcome === outcome).length
    }
    const read = own.filter((trial) => trial.outcome !== 'refused')
    const seconds = read.map((trial) => trial.seconds)
    const memory = read.map((trial) => trial.memory)
    const found = own.flatMap(({ agreement }) => (agreement ? [agreement.recall] : []))
    return formatRow([
      kind,
      own.length,
      countOutcomes('ready'),
      countOutcomes('refused'),
      countOutcomes('failed'),
      median(seconds).toFixed(2),
      percentile(seconds, 95).toFixed(2),
      Math.max(...seconds).toFixed(2),
      median(memory).toFixed(0),
      Math.max(...memory).toFixed(0),
      found.length > 0 ? `${formatPercent(median(found))} of ${found.length}` : '',
    ])
  })
  return formatTable(head, rows)
}

/** The refusals and failures, with the messages that users read. */
export function formatFaults(trials: readonly Trial[]): string[] {
  const ended = Map.groupBy(
    trials.filter((trial) => trial.outcome !== 'ready'),
    (trial) => `${trial.kind} ${trial.outcome}: ${trial.message}`,
  )
  const rows = [...ended].map(([what, own]) => formatRow([own.length, what]))
  return formatTable(['Files', 'Outcome'], rows.sort())
}

/** One line per file. */
export function formatFiles(trials: readonly Trial[]): string[] {
  return formatTable(
    ['File', 'Size', 'Outcome', 'Characters', 'Pages', 'Headings', 'Tables', 's', 'MB', 'Words found'],
    trials.map((trial) =>
      formatRow([
        escapeCell(trial.file),
        formatSize(trial.bytes),
        trial.outcome === 'ready' ? 'ready' : `${trial.outcome}: ${trial.fault}`,
        ...(trial.outcome === 'ready'
          ? [trial.characters, trial.pages ?? '', trial.headings, trial.tables]
          : ['', '', '', '']),
        trial.seconds.toFixed(2),
        trial.memory > 0 ? trial.memory.toFixed(0) : '',
        trial.agreement ? formatPercent(trial.agreement.recall) : '',
      ]),
    ),
  )
}
