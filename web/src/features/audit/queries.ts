import { auditApi } from '@lyceum/contract/audit'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endOfLocalDay, startOfLocalDay } from '#lib/date-time.ts'
import type { AuditView } from './use-audit-view.ts'

const entriesPerPage = 25

/** Converts a view to the filter parameters of the API. */
export function toFilters({ actorId, area, result, from, to }: AuditView) {
  return {
    ...(actorId === null ? {} : { actorId }),
    ...(area === null ? {} : { area }),
    ...(result === null ? {} : { result }),
    ...(from === null ? {} : { startDate: startOfLocalDay(from) }),
    ...(to === null ? {} : { endDate: endOfLocalDay(to) }),
  }
}

export function auditPageQuery(view: AuditView) {
  return queryOptions({
    queryKey: ['audit', view],
    queryFn: ({ signal }) =>
      call(
        auditApi.list,
        {
          query: {
            ...toFilters(view),
            ...(view.showsOwnReading ? {} : { ownReading: 'hide' as const }),
            limit: entriesPerPage,
            skip: (view.page - 1) * entriesPerPage,
            ...(view.asOf === null ? {} : { asOf: view.asOf }),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    // Every request is recorded in the audit log, so never refetch automatically.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
  })
}
