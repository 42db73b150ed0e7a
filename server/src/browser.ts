/** Cookies in the caller's browser that scripts cannot read. */
export interface Browser {
  read(name: string): string | null
  /** `maxAge` in seconds. */
  keep(name: string, value: string, maxAge: number): void
  forget(name: string): void
}
