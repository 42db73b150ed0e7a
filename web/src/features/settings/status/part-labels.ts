import type { PartState, StatusFact, StatusPart } from '@lyceum/contract/status'
import {
  CircleHelp,
  CircleMinus,
  Database,
  HardDrive,
  ListOrdered,
  type LucideIcon,
  Mail,
  MessageSquareText,
  Save,
  ScrollText,
  Search,
  Waypoints,
  Webhook,
} from 'lucide-react'
import { formatDateTime } from '#lib/date-time.ts'
import type { Tone } from '#ui/Status.tsx'

interface PartLabels {
  icon: LucideIcon
  testLabel: string
}

export const partLabels: Record<StatusPart, PartLabels> = {
  mail: { icon: Mail, testLabel: 'Send test email' },
  model: { icon: MessageSquareText, testLabel: 'Test models' },
  embeddings: { icon: Waypoints, testLabel: 'Test embeddings' },
  reranking: { icon: ListOrdered, testLabel: 'Test reranker' },
  search: { icon: Search, testLabel: 'Test search' },
  storage: { icon: HardDrive, testLabel: 'Test storage' },
  database: { icon: Database, testLabel: 'Test database' },
  backups: { icon: Save, testLabel: 'Test backups' },
  'audit-stream': { icon: ScrollText, testLabel: 'Send test event' },
  webhooks: { icon: Webhook, testLabel: 'Send test events' },
}

export const stateLabels: Record<PartState, { label: string; tone: Tone; icon?: LucideIcon }> = {
  ok: { label: 'OK', tone: 'success' },
  off: { label: 'Not set up', tone: 'neutral', icon: CircleMinus },
  untested: { label: 'Not tested yet', tone: 'neutral', icon: CircleHelp },
  attention: { label: 'Needs attention', tone: 'warning' },
  failing: { label: 'Not working', tone: 'danger' },
  unknown: { label: 'No response', tone: 'warning', icon: CircleHelp },
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Formats disk sizes, which need larger units than `formatFileSize` has. */
export function formatDiskSize(bytes: number): string {
  const unitIndex = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  const value = bytes / 1024 ** unitIndex
  return `${value.toLocaleString('en', { maximumFractionDigits: unitIndex === 0 ? 0 : 1 })} ${units[unitIndex]}`
}

export function formatFact({ kind, value }: StatusFact): string {
  if (value === null) return kind === 'time' ? 'Never' : '–'
  if (typeof value === 'string') return value
  if (kind === 'time') return formatDateTime(new Date(value).toISOString())
  return kind === 'bytes' ? formatDiskSize(value) : value.toLocaleString()
}
