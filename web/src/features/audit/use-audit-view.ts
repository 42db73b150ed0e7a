import { type AuditArea, auditAreas, auditResults } from '@lyceum/contract/audit'
import { useSearchParams } from 'wouter'
import { dayOf, oneOf, positiveOf } from '#lib/address-values.ts'

type AuditResult = (typeof auditResults)[number]

/** What the screen shows; it is in its address. */
export interface AuditView {
  page: number
  /** The log as it was at the first page; null shows it as it is. */
  asOf: number | null
  actorId: string | null
  area: AuditArea | null
  result: AuditResult | null
  /** Days in the viewer's zone, 'YYYY-MM-DD', both included. */
  from: string | null
  to: string | null
}

const nothing = { actorId: null, area: null, result: null, from: null, to: null }

export function useAuditView() {
  const [params, setParams] = useSearchParams()
  const asOf = positiveOf(params.get('asOf'))
  const view: AuditView = {
    page: positiveOf(params.get('page')) ?? 1,
    asOf,
    actorId: params.get('person'),
    area: oneOf(auditAreas, params.get('area')),
    result: oneOf(auditResults, params.get('result')),
    from: dayOf(params.get('from')),
    to: dayOf(params.get('to')),
  }

  function show(next: AuditView): void {
    const entries = Object.entries({
      person: next.actorId,
      area: next.area,
      result: next.result,
      from: next.from,
      to: next.to,
      page: next.page > 1 ? String(next.page) : null,
      asOf: next.page > 1 && next.asOf !== null ? String(next.asOf) : null,
    }).filter((entry): entry is [string, string] => entry[1] !== null)
    setParams(new URLSearchParams(entries))
  }

  return {
    view,
    isFiltered: Object.keys(nothing).some((name) => view[name as keyof typeof nothing] !== null),
    /** What is looked for changed: it begins at the first page of what is there now. */
    filter: (change: Partial<AuditView>) => show({ ...view, ...change, page: 1, asOf: null }),
    clear: () => show({ ...nothing, page: 1, asOf: null }),
    /** Back at the first page one sees the log as it is now. */
    turnTo: (page: number, seen: number) => show({ ...view, page, asOf: page > 1 ? seen : null }),
  }
}
