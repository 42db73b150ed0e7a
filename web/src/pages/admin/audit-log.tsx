import { useQuery } from '@tanstack/react-query'
import { AuditFilters } from '#features/audit/AuditFilters.tsx'
import { AuditTable } from '#features/audit/AuditTable.tsx'
import { ExportButtons } from '#features/audit/ExportButtons.tsx'
import { auditPageQuery } from '#features/audit/queries.ts'
import { useAuditView } from '#features/audit/use-audit-view.ts'
import { useCan } from '#features/auth/use-can.ts'
import { UserFilter } from '#features/users/UserFilter.tsx'
import { texts } from '#texts/admin.ts'
import { PagedTable, RowSkeletons } from '#ui/PagedTable.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'

export function AuditLogPage() {
  const { view, isFiltered, filterCount, filter, clear, openPage } = useAuditView()
  const canSearchUsers = useCan('canManageUsers')
  const entries = useQuery(auditPageQuery(view))
  const { data } = entries
  const actorName = data?.items.find(({ actor }) => actor?._id === view.actorId)?.actor?.name ?? null
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-4 py-6 md:px-6 md:py-8">
        <div className="flex flex-col gap-1">
          <h1 className="font-semibold text-2xl">Audit Log</h1>
          <p className="text-muted text-sm">
            Who did what, and when. Entries can’t be changed and are kept for 400 days. Viewing them is logged
            too.
          </p>
        </div>
        <AuditFilters
          view={view}
          isFiltered={isFiltered}
          filterCount={filterCount}
          onFilter={filter}
          onClear={clear}
          userFilter={
            canSearchUsers && (
              <UserFilter value={view.actorId} name={actorName} onChange={(actorId) => filter({ actorId })} />
            )
          }
        />
        {entries.isPending ? (
          <RowSkeletons label="Loading the audit log…" rows={8} />
        ) : (
          <PagedTable
            title="Entries"
            list={entries}
            page={view.page}
            onPage={(page) => openPage(page, view.asOf ?? data?.asOf ?? 0)}
            failedText={texts.audit.loadFailed}
            toolbar={<ExportButtons view={view} isEmpty={data?.total === 0} />}
          >
            {(rows) => (
              <AuditTable
                entries={rows}
                isFiltered={isFiltered}
                actorId={view.actorId}
                onFilterByActor={(actorId) => filter({ actorId })}
                onClear={clear}
              />
            )}
          </PagedTable>
        )}
        {data?.hasMore && (
          <p className="text-center text-muted text-sm">
            There are more than {data.total.toLocaleString()} entries. Use the filters to find older ones, or
            export all of them.
          </p>
        )}
      </div>
    </div>
  )
}
