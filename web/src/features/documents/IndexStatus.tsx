import type { Document, IndexProgress, IndexState } from '@lyceum/contract/documents'
import { CircleAlert, CircleCheck, Clock, Layers, type LucideIcon, ScanText } from 'lucide-react'
import { cx } from '#ui/cx.ts'
import { Status, type Tone } from '#ui/Status.tsx'

type ShownState = Exclude<IndexState, 'none'>

const labels: Record<ShownState, string> = {
  waiting: 'Waiting to be indexed',
  extracting: 'Reading text',
  embedding: 'Indexing',
  ready: 'Indexed',
  failed: 'Indexing failed',
}

type ShownIndex = IndexProgress & Pick<Document['index'], 'answers'>

/** The index state with its percentage while in progress; null if indexing was never requested. */
export function formatIndexState({
  state,
  percent,
}: Pick<IndexProgress, 'state' | 'percent'>): string | null {
  if (state === 'none') return null
  const isInProgress = state === 'extracting' || state === 'embedding'
  return isInProgress ? `${labels[state]} ${Math.round(percent)}%` : labels[state]
}

/** Lists the reason for a failure or limitation, the number of attempts, and whether an older index is in use. */
export function listIndexNotes({ state, attempts, reason, answers }: ShownIndex): string[] {
  const notes: string[] = []
  if (reason !== null && reason !== '') notes.push(reason)
  if (attempts > 1) notes.push(state === 'failed' ? `Tried ${attempts} times.` : `Attempt ${attempts}.`)
  if (answers && state !== 'ready' && state !== 'none') {
    notes.push('The previous index is still in use.')
  }
  return notes
}

const styles: Record<ShownState, { tone: Tone; icon: LucideIcon }> = {
  waiting: { tone: 'neutral', icon: Clock },
  extracting: { tone: 'info', icon: ScanText },
  embedding: { tone: 'info', icon: Layers },
  ready: { tone: 'success', icon: CircleCheck },
  failed: { tone: 'danger', icon: CircleAlert },
}

export function IndexStatus({ index }: { index: IndexProgress }) {
  if (index.state === 'none') return null
  const { tone, icon } = styles[index.state]
  return (
    <Status tone={tone} icon={icon} className="tabular-nums">
      {formatIndexState(index)}
    </Status>
  )
}

export function IndexNotes({ index }: { index: ShownIndex }) {
  const notes = listIndexNotes(index)
  if (notes.length === 0) return null
  return (
    <p className={cx('break-words text-sm', index.state === 'failed' ? 'text-danger' : 'text-muted')}>
      {notes.join(' ')}
    </p>
  )
}
