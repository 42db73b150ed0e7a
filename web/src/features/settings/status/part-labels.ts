import type { PartState, StatusFact, StatusPart } from '@lyceum/contract/status'
import {
  CircleHelp,
  CircleMinus,
  Database,
  HardDrive,
  type LucideIcon,
  Mail,
  MessageSquareText,
  Save,
  Search,
  Waypoints,
} from 'lucide-react'
import { dateTime } from '#lib/date-time.ts'
import type { Tone } from '#ui/Status.tsx'

interface PartWords {
  title: string
  icon: LucideIcon
  /** On the button that tries it out. */
  test: string
}

export const partWords: Record<StatusPart, PartWords> = {
  mail: { title: 'Mail', icon: Mail, test: 'Send test letter' },
  model: { title: 'Language models', icon: MessageSquareText, test: 'Ask each model' },
  embeddings: { title: 'Embeddings', icon: Waypoints, test: 'Test embeddings' },
  search: { title: 'Search', icon: Search, test: 'Test search' },
  storage: { title: 'Storage', icon: HardDrive, test: 'Test storage' },
  database: { title: 'Database', icon: Database, test: 'Test database' },
  backups: { title: 'Backups', icon: Save, test: 'Test backups' },
}

export const stateWords: Record<PartState, { word: string; tone: Tone; icon?: LucideIcon }> = {
  ok: { word: 'In order', tone: 'success' },
  off: { word: 'Not set up', tone: 'neutral', icon: CircleMinus },
  attention: { word: 'Needs attention', tone: 'warning' },
  failing: { word: 'Out of order', tone: 'danger' },
  unknown: { word: 'No answer', tone: 'warning', icon: CircleHelp },
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Disks are larger than the files of `fileSize`. */
export function diskSize(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  const value = bytes / 1024 ** step
  return `${value.toLocaleString('en', { maximumFractionDigits: step === 0 ? 0 : 1 })} ${units[step]}`
}

/** A fact as people write it. */
export function factWords({ kind, value }: StatusFact): string {
  if (value === null) return kind === 'time' ? 'Never' : '–'
  if (typeof value === 'string') return value
  if (kind === 'time') return dateTime(new Date(value).toISOString())
  return kind === 'bytes' ? diskSize(value) : value.toLocaleString()
}
