import {
  addDays,
  countDays,
  day,
  formatDay,
  maximumRangeDays,
  type QuestionState,
} from '@lyceum/contract/analytics'
import { useSearchParams } from 'wouter'

export const analyticsTabs = [
  { value: 'overview', label: 'Overview' },
  { value: 'channels', label: 'Channels' },
  { value: 'documents', label: 'Documents' },
  { value: 'questions', label: 'Unanswered questions' },
] as const
type AnalyticsTab = (typeof analyticsTabs)[number]['value']

export const rangePresets = [7, 30, 90, 365] as const
const defaultDays = 30

/** What the screen shows, kept in the URL. */
export interface AnalyticsView {
  tab: AnalyticsTab
  /** UTC days, both inclusive. */
  from: string
  to: string
  /** The number of days up to today; null for a custom range. */
  days: number | null
  /** The URL names a longer range, of which only the last days are shown. */
  isShortened: boolean
  /** Empty means all channels. */
  channelId: string
  /** The page of the open tab's table. Starts at 1. */
  page: number
  /** Which questions are listed. */
  state: QuestionState
}

function parseDay(text: string | null): string | null {
  return text !== null && day.safeParse(text).success ? text : null
}

/** A custom range, or null if it is empty. The server refuses longer ones, so only their last days are shown. */
function parseRange(from: string | null, to: string | null) {
  if (from === null || to === null) return null
  const length = countDays({ from, to })
  if (length < 1) return null
  return length > maximumRangeDays
    ? { from: addDays(to, 1 - maximumRangeDays), to, isShortened: true }
    : { from, to, isShortened: false }
}

function parsePage(text: string | null): number {
  const page = Number(text)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

function parseView(params: URLSearchParams): AnalyticsView {
  const customRange = parseRange(parseDay(params.get('from')), parseDay(params.get('to')))
  const requestedDays = Number(params.get('days'))
  const days = rangePresets.find((preset) => preset === requestedDays) ?? defaultDays
  const today = formatDay(Date.now())
  return {
    tab: analyticsTabs.find(({ value }) => value === params.get('tab'))?.value ?? 'overview',
    ...(customRange ?? { from: addDays(today, 1 - days), to: today, isShortened: false }),
    days: customRange === null ? days : null,
    channelId: params.get('channelId') ?? '',
    page: parsePage(params.get('page')),
    state: params.get('state') === 'resolved' ? 'resolved' : 'open',
  }
}

export function useAnalyticsView() {
  const [params, setParams] = useSearchParams()
  const view = parseView(params)

  /** Returns to the first page unless the change names a page. */
  function updateView(change: Partial<AnalyticsView>): void {
    const next = { ...view, page: 1, ...change }
    const entries: [string, string][] = []
    if (next.tab !== 'overview') entries.push(['tab', next.tab])
    if (next.days === null) entries.push(['from', next.from], ['to', next.to])
    else if (next.days !== defaultDays) entries.push(['days', String(next.days)])
    if (next.channelId !== '') entries.push(['channelId', next.channelId])
    if (next.state !== 'open') entries.push(['state', next.state])
    if (next.page > 1) entries.push(['page', String(next.page)])
    setParams(new URLSearchParams(entries))
  }
  return { view, updateView }
}
