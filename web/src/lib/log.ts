/** Logs failures that the screen does not show. */
export function log(...details: unknown[]): void {
  // biome-ignore lint/suspicious/noConsole: the browser's console is this application's log
  console.warn(...details)
}
