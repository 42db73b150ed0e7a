import type { Document, IndexState } from '@lyceum/contract/documents'

type Shown = Exclude<IndexState, 'none'>

const words: Record<Shown, string> = {
  waiting: 'Waiting to be indexed',
  extracting: 'Reading the text',
  embedding: 'Indexing',
  ready: 'Indexed',
  failed: 'Indexing failed',
}

/** Where the indexing stands, in words and percent; null while nobody has asked for it. */
export function indexWords({ state, percent }: Document['index']): string | null {
  if (state === 'none') return null
  const isMoving = state === 'extracting' || state === 'embedding'
  return isMoving ? `${words[state]} ${Math.round(percent)}%` : words[state]
}

/** What else is worth saying: why it failed or what is limited, how often it was tried, what answers meanwhile. */
export function indexNotes({ state, attempts, reason, answers }: Document['index']): string[] {
  const notes: string[] = []
  if (reason !== null && reason !== '') notes.push(reason)
  if (attempts > 1) notes.push(state === 'failed' ? `Tried ${attempts} times.` : `Attempt ${attempts}.`)
  if (answers && state !== 'ready' && state !== 'none') {
    notes.push('The earlier index still answers questions.')
  }
  return notes
}
