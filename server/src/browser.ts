/** What the server keeps in the caller's browser, out of reach of any script. */
export interface Browser {
  read(name: string): string | null
  /** `maxAge` in seconds. */
  keep(name: string, value: string, maxAge: number): void
  forget(name: string): void
}
