import {
  day,
  dayAfter,
  dayOf,
  lengthOf,
  maximumRangeDays,
  type QuestionState,
} from '@lyceum/contract/analytics'
import { useSearchParams } from 'wouter'

export const tabs = [
  { value: 'overview', label: 'Overview' },
  { value: 'channels', label: 'Channels' },
  { value: 'documents', label: 'Documents' },
  { value: 'questions', label: 'Unanswered questions' },
] as const
type AnalyticsTab = (typeof tabs)[number]['value']

export const presets = [7, 30, 90, 365] as const
const usual = 30

/** What the screen shows; it is in its address. */
export interface AnalyticsView {
  tab: AnalyticsTab
  /** UTC days, both included. */
  from: string
  to: string
  /** How many days up to today; null for a range of one's own. */
  days: number | null
  /** Empty for all. */
  channelId: string
  /** Of the open tab's table, from 1. */
  page: number
  /** Which of the questions. */
  state: QuestionState
}

function dayIn(text: string | null): string | null {
  return text !== null && day.safeParse(text).success ? text : null
}

/** A range of one's own, as far as the server takes it. */
function ownRange(from: string | null, to: string | null) {
  if (from === null || to === null) return null
  const length = lengthOf({ from, to })
  return length >= 1 && length <= maximumRangeDays ? { from, to } : null
}

function pageIn(text: string | null): number {
  const given = Number(text)
  return Number.isSafeInteger(given) && given > 0 ? given : 1
}

function viewOf(params: URLSearchParams): AnalyticsView {
  const own = ownRange(dayIn(params.get('from')), dayIn(params.get('to')))
  const asked = Number(params.get('days'))
  const days = presets.find((preset) => preset === asked) ?? usual
  const today = dayOf(Date.now())
  return {
    tab: tabs.find(({ value }) => value === params.get('tab'))?.value ?? 'overview',
    ...(own ?? { from: dayAfter(today, 1 - days), to: today }),
    days: own === null ? days : null,
    channelId: params.get('channelId') ?? '',
    page: pageIn(params.get('page')),
    state: params.get('state') === 'resolved' ? 'resolved' : 'open',
  }
}

export function useAnalyticsView() {
  const [params, setParams] = useSearchParams()
  const view = viewOf(params)

  /** Whatever changes but the page itself begins at the first one. */
  function show(change: Partial<AnalyticsView>): void {
    const next = { ...view, page: 1, ...change }
    const entries: [string, string][] = []
    if (next.tab !== 'overview') entries.push(['tab', next.tab])
    if (next.days === null) entries.push(['from', next.from], ['to', next.to])
    else if (next.days !== usual) entries.push(['days', String(next.days)])
    if (next.channelId !== '') entries.push(['channelId', next.channelId])
    if (next.state !== 'open') entries.push(['state', next.state])
    if (next.page > 1) entries.push(['page', String(next.page)])
    setParams(new URLSearchParams(entries))
  }
  return { view, show }
}
