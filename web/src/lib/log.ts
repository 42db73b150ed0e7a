/** For failures that a screen keeps to itself. */
export function log(...what: unknown[]): void {
  // biome-ignore lint/suspicious/noConsole: the browser's console is this application's log
  console.warn(...what)
}
