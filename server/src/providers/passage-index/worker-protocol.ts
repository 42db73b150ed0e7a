import type {
  Generation,
  IndexedPassage,
  IndexSize,
  PassageQuery,
  PassageVector,
  SearchResult,
} from './port.ts'

/** Calls to the worker, which runs them one after another. Each is short, so that no search waits long. */
export interface WorkerCalls {
  add(generation: Generation, passages: readonly IndexedPassage[]): void
  addVectors(space: string, vectors: readonly PassageVector[]): void
  dropVectors(space: string): boolean
  drop(ids: readonly string[]): void
  dropChannel(channelId: string): void
  sweep(): boolean
  search(query: PassageQuery): SearchResult
  generations(after: string, limit: number): { id: string; documentId: string; passages: number }[]
  generationsWithoutVectors(space: string, limit: number): string[]
  size(space: string | null): IndexSize
  close(): void
}

export type CallName = keyof WorkerCalls

export interface CallMessage {
  call: number
  name: CallName
  args: unknown[]
}

export type WorkerMessage =
  | { type: 'ready'; isNew: boolean }
  | { type: 'rebuilt' }
  | { type: 'answer'; call: number; value: unknown }
  | { type: 'failure'; call: number; error: unknown }
