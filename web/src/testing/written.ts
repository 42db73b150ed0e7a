type Words = unknown[][]

/** The console output of a test. */
const written: { error: Words; warn: Words } = { error: [], warn: [] }

export function watchConsole(): void {
  const target = globalThis.console
  target.error = (...words: unknown[]) => void written.error.push(words)
  // Keep the product's logging out of the test output.
  target.warn = (...words: unknown[]) => void written.warn.push(words)
}

/** Returns and clears the output. Tests take the output they expect. */
export function takeWritten(kind: keyof typeof written): string[] {
  return written[kind].splice(0).map((words) => words.map(String).join(' '))
}
