import { type AuditArea, auditAreas, auditResults } from '@lyceum/contract/audit'
import { useSearchParams } from 'wouter'
import { parseDay, parseOneOf, parsePositiveInt } from '#lib/url-values.ts'

type AuditResult = (typeof auditResults)[number]

/** What the screen shows, kept in the URL. */
export interface AuditView {
  page: number
  /**
   * Sequence number of the newest entry when page 1 was loaded, so that later pages do not shift. Null shows the
   * latest entries.
   */
  asOf: number | null
  actorId: string | null
  area: AuditArea | null
  result: AuditResult | null
  /** First and last day in the viewer's time zone, 'YYYY-MM-DD', both inclusive. */
  from: string | null
  to: string | null
  /** Whether the viewer's own viewing is listed. */
  showsOwnReading: boolean
}

const noFilters = { actorId: null, area: null, result: null, from: null, to: null }

export function useAuditView() {
  const [params, setParams] = useSearchParams()
  const asOf = parsePositiveInt(params.get('asOf'))
  const view: AuditView = {
    page: parsePositiveInt(params.get('page')) ?? 1,
    asOf,
    actorId: params.get('user'),
    area: parseOneOf(auditAreas, params.get('area')),
    result: parseOneOf(auditResults, params.get('result')),
    from: parseDay(params.get('from')),
    to: parseDay(params.get('to')),
    showsOwnReading: params.get('own') === 'show',
  }

  function show(next: AuditView): void {
    const entries = Object.entries({
      user: next.actorId,
      area: next.area,
      result: next.result,
      from: next.from,
      to: next.to,
      own: next.showsOwnReading ? 'show' : null,
      page: next.page > 1 ? String(next.page) : null,
      asOf: next.page > 1 && next.asOf !== null ? String(next.asOf) : null,
    }).filter((entry): entry is [string, string] => entry[1] !== null)
    setParams(new URLSearchParams(entries))
  }

  const filters = Object.keys(noFilters).filter((name) => view[name as keyof typeof noFilters] !== null)
  return {
    view,
    isFiltered: filters.length > 0,
    filterCount: filters.length,
    /** Changes filters and returns to page 1 of the latest entries. */
    filter: (change: Partial<AuditView>) => show({ ...view, ...change, page: 1, asOf: null }),
    clear: () => show({ ...noFilters, showsOwnReading: view.showsOwnReading, page: 1, asOf: null }),
    /** Opens a page. Page 1 shows the latest entries. */
    openPage: (page: number, asOf: number) => show({ ...view, page, asOf: page > 1 ? asOf : null }),
  }
}
