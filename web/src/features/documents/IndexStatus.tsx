import type { Document, IndexState } from '@lyceum/contract/documents'
import { CircleAlert, CircleCheck, Clock, Layers, type LucideIcon, ScanText } from 'lucide-react'
import { cx } from '#ui/cx.ts'
import { Status, type Tone } from '#ui/Status.tsx'
import { indexNotes, indexWords } from './index-labels.ts'

const looks: Record<Exclude<IndexState, 'none'>, { tone: Tone; icon: LucideIcon }> = {
  waiting: { tone: 'neutral', icon: Clock },
  extracting: { tone: 'info', icon: ScanText },
  embedding: { tone: 'info', icon: Layers },
  ready: { tone: 'success', icon: CircleCheck },
  failed: { tone: 'danger', icon: CircleAlert },
}

interface Props {
  index: Document['index']
}

/** Where the indexing of a document stands. */
export function IndexStatus({ index }: Props) {
  if (index.state === 'none') return null
  const { tone, icon } = looks[index.state]
  return (
    <Status tone={tone} icon={icon} className="tabular-nums">
      {indexWords(index)}
    </Status>
  )
}

/** What the state alone does not say. */
export function IndexNotes({ index }: Props) {
  const notes = indexNotes(index)
  if (notes.length === 0) return null
  return (
    <p className={cx('break-words text-sm', index.state === 'failed' ? 'text-danger' : 'text-muted')}>
      {notes.join(' ')}
    </p>
  )
}
