import { parseArgs } from 'node:util'

/** 0: done, 1: refused or failed, 2: invalid arguments. */
export type ExitCode = 0 | 1 | 2

export interface Arguments {
  positionals: readonly string[]
  options: Readonly<Record<string, string | undefined>>
  flags: ReadonlySet<string>
}

export interface Command {
  /** The words after `npx lyceum`, such as `admin create`. */
  name: string
  /** The arguments, as the usage line shows them. */
  synopsis?: string
  summary: string
  /** Lines of the command's own help. */
  details?: readonly string[]
  /** Options with a value. */
  options?: readonly string[]
  /** Options without a value. */
  flags?: readonly string[]
  run(args: Arguments): Promise<ExitCode>
}

/** The command cannot do this. The message is the one sentence that the operator reads. */
export class CommandError extends Error {}

/** Invalid arguments. The message says what is missing or unknown. */
export class UsageError extends Error {}

export function readArguments({ options = [], flags = [] }: Command, args: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(options.map((name) => [name, { type: 'string' as const }])),
        ...Object.fromEntries(flags.map((name) => [name, { type: 'boolean' as const }])),
      },
    })
    const entries = Object.entries(values)
    return {
      positionals,
      options: Object.fromEntries(entries.map(([name, value]) => [name, value?.toString()])),
      flags: new Set(entries.filter(([, value]) => value === true).map(([name]) => name)),
    }
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0])
  }
}

/** Reads the one positional argument of a command. */
export function readPositional({ positionals }: Arguments, label: string): string {
  const [value, extra] = positionals
  if (value === undefined) throw new UsageError(`${label} is missing`)
  if (extra !== undefined) throw new UsageError(`Unexpected argument “${extra}”`)
  return value
}

export function requireNoPositionals({ positionals }: Arguments): void {
  if (positionals[0] !== undefined) throw new UsageError(`Unexpected argument “${positionals[0]}”`)
}
