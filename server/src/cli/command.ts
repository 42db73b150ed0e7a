import { parseArgs } from 'node:util'

/** 0 done, 1 refused or failed, 2 called in a way that means nothing. */
export type ExitCode = 0 | 1 | 2

export interface Given {
  /** What stands beside the options. */
  words: readonly string[]
  texts: Readonly<Record<string, string | undefined>>
  flags: ReadonlySet<string>
}

export interface Command {
  /** After `npx lyceum`. */
  name: string
  /** What comes after the name, as the usage shows it. */
  takes?: string
  summary: string
  /** For its own help, a line each. */
  details?: readonly string[]
  /** Options with a value, and those without. */
  texts?: readonly string[]
  flags?: readonly string[]
  run(given: Given): Promise<ExitCode>
}

/** Cannot be done; the message is the one sentence that the operator reads. */
export class Refused extends Error {}

/** Called wrongly; the message says what is missing or unknown. */
export class WrongUsage extends Error {}

export function readArguments({ texts = [], flags = [] }: Command, args: readonly string[]): Given {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(texts.map((name) => [name, { type: 'string' as const }])),
        ...Object.fromEntries(flags.map((name) => [name, { type: 'boolean' as const }])),
      },
    })
    const given = Object.entries(values)
    return {
      words: positionals,
      texts: Object.fromEntries(given.map(([name, value]) => [name, value?.toString()])),
      flags: new Set(given.filter(([, value]) => value === true).map(([name]) => name)),
    }
  } catch (error) {
    throw new WrongUsage((error as Error).message.split('. ')[0])
  }
}

/** The only word a command takes. */
export function onlyWord({ words }: Given, what: string): string {
  const [word, extra] = words
  if (word === undefined) throw new WrongUsage(`${what} is missing`)
  if (extra !== undefined) throw new WrongUsage(`“${extra}” is one word too many`)
  return word
}

export function noWords({ words }: Given): void {
  if (words[0] !== undefined) throw new WrongUsage(`“${words[0]}” is one word too many`)
}
