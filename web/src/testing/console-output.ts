type ConsoleOutput = unknown[][]

/** The console output of a test. */
const output: { error: ConsoleOutput; warn: ConsoleOutput } = { error: [], warn: [] }

export function watchConsole(): void {
  const target = globalThis.console
  target.error = (...values: unknown[]) => void output.error.push(values)
  // Keep the product's logging out of the test output.
  target.warn = (...values: unknown[]) => void output.warn.push(values)
}

/** Returns and clears the output. Tests take the output they expect. */
export function takeConsoleOutput(kind: keyof typeof output): string[] {
  return output[kind].splice(0).map((values) => values.map(String).join(' '))
}
