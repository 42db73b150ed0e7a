import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { GroupFormDialog } from '#features/groups/GroupFormDialog.tsx'
import { GroupTable } from '#features/groups/GroupTable.tsx'
import { groupPageQuery } from '#features/groups/queries.ts'
import { groupPath } from '#lib/group-paths.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { PagedTable, RowSkeletons } from '#ui/PagedTable.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'

function parsePage(text: string | null): number {
  const page = Number(text)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** The page and search of the list, kept in the URL. */
function useGroupsView() {
  const [params, setParams] = useSearchParams()
  return {
    page: parsePage(params.get('page')),
    search: params.get('search') ?? '',
    update(search: string, page: number): void {
      const entries = [
        ...(search === '' ? [] : [['search', search]]),
        ...(page > 1 ? [['page', String(page)]] : []),
      ]
      setParams(new URLSearchParams(entries), { replace: page === 1 })
    },
  }
}

function NewGroupButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="primary" onClick={onClick}>
      <Plus aria-hidden="true" className="size-4" />
      New group
    </Button>
  )
}

/** The groups that give users channels. */
export function GroupsPage() {
  const { page, search, update } = useGroupsView()
  const list = useQuery(groupPageQuery(page, search))
  const [isCreating, setIsCreating] = useState(false)
  const [, navigate] = useLocation()
  function create(): void {
    setIsCreating(true)
  }
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-4 py-6 md:px-6 md:py-8">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="font-semibold text-2xl">Groups</h1>
          <NewGroupButton onClick={create} />
        </div>
        {list.isPending ? (
          <RowSkeletons label="Loading the groups…" rows={6} />
        ) : (
          <PagedTable
            title="All groups"
            list={list}
            page={page}
            onPage={(next) => update(search, next)}
            failedText={texts.groups.loadFailed}
            toolbar={
              <SearchInput
                label="Search groups"
                value={search}
                onSearch={(text) => update(text, 1)}
                className="w-full sm:w-64"
              />
            }
          >
            {(rows) => (
              <GroupTable groups={rows} search={search} action={<NewGroupButton onClick={create} />} />
            )}
          </PagedTable>
        )}
      </div>
      {isCreating && (
        <GroupFormDialog
          group={null}
          onSaved={({ _id }) => navigate(groupPath(_id))}
          onClose={() => setIsCreating(false)}
        />
      )}
    </div>
  )
}
