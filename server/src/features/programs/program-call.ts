import type { KeyAccess } from '../api-keys/authenticate-key.ts'

/** A call of a program with an API key. */
export interface ProgramCall {
  access: KeyAccess
  /** Aborts when the program leaves before the response is complete. */
  signal: AbortSignal
  /** Counts a message of the user and begins it when its turn has come. */
  startMessage: <T>(work: () => Promise<T>) => Promise<T>
}

/** A response that is sent in pieces. */
export interface ProgramStream {
  /** Fails if the call is rejected before anything is sent. */
  chunks: AsyncIterable<string>
  /** Called every few seconds. Returns whether the key still gives access. */
  recheck: () => Promise<boolean>
}
