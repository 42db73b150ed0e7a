import { cpus, loadavg, totalmem } from 'node:os'

/** One number of a measurement, with an upper or a lower limit if there is a target. */
export interface Figure {
  label: string
  value: number
  unit: string
  max?: number
  /** Lower limit. */
  min?: number
  /** Context for reading the number. */
  note?: string
}

export interface Measurement {
  name: string
  title: string
  figures: Figure[]
  seconds: number
  /** The machine's one-minute load at the start and at the end. */
  load: [number, number]
}

export interface Options {
  /** For what is random: the same seed repeats it. */
  seed: number
  /** How long to measure, where that can be chosen; null for the usual time. */
  minutes: number | null
  /** How often to repeat, where that can be chosen; null for the usual number. */
  rounds: number | null
  /** Whether to measure on PostgreSQL instead of SQLite, where that can be chosen. */
  onPostgres: boolean
  /** Whether to measure Open WebUI, too, where that can be chosen. */
  besideOpenWebui: boolean
}

export interface Measure {
  name: string
  title: string
  /** Takes many minutes, so it runs only when it is named. */
  isLong?: boolean
  run: (logStep: (step: string) => void, options: Options) => Promise<Figure[]>
}

/** Percentile by nearest rank. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

export function describeMachine() {
  return {
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
  }
}

export function readLoad(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10
}

function formatValue(value: number): string {
  return Math.abs(value) >= 100
    ? value.toFixed(0)
    : Math.abs(value) >= 10
      ? value.toFixed(1)
      : value.toFixed(2)
}

function formatVerdict({ value, max, min, unit }: Figure): string {
  if (max !== undefined) return `${value <= max ? 'ok' : 'MISSED'} (≤ ${max} ${unit})`
  return min === undefined ? '' : `${value >= min ? 'ok' : 'MISSED'} (≥ ${`${min} ${unit}`.trim()})`
}

export function printMeasurement({ title, figures, seconds, load: [before, after] }: Measurement): void {
  const rows = figures.map((figure) => [
    figure.label,
    `${formatValue(figure.value)} ${figure.unit}`,
    formatVerdict(figure),
    figure.note ?? '',
  ])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  console.log(`\n${title} (${seconds.toFixed(0)} s, load ${before} to ${after})`)
  for (const [label = '', value = '', verdict = '', note = ''] of rows)
    console.log(
      `  ${label.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)}  ${verdict.padEnd(widths[2] ?? 0)}  ${note}`.trimEnd(),
    )
}
