type Words = unknown[][]

/** What was written to the console during a test. */
const written: { error: Words; warn: Words } = { error: [], warn: [] }

export function watchConsole(): void {
  const target = globalThis.console
  target.error = (...words: unknown[]) => void written.error.push(words)
  // What the product logs is for people with the console open, not for the reader of a test run.
  target.warn = (...words: unknown[]) => void written.warn.push(words)
}

/** Hands over what was written; what a test takes is what it expected. */
export function takeWritten(kind: keyof typeof written): string[] {
  return written[kind].splice(0).map((words) => words.map(String).join(' '))
}
