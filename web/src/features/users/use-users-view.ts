import { useSearchParams } from 'wouter'

interface UsersView {
  page: number
  search: string
  /** The page of the invitation list. */
  invitationsPage: number
}

function parsePage(text: string | null): number {
  const page = Number(text)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** The pages and the search of the users screen, kept in the URL. */
export function useUsersView() {
  const [params, setParams] = useSearchParams()
  const view: UsersView = {
    page: parsePage(params.get('page')),
    search: params.get('search') ?? '',
    invitationsPage: parsePage(params.get('invitations')),
  }

  function updateView(change: Partial<UsersView>): void {
    const isSearch = change.search !== undefined
    const next = { ...view, ...(isSearch ? { page: 1 } : {}), ...change }
    const entries: [string, string][] = []
    if (next.invitationsPage > 1) entries.push(['invitations', String(next.invitationsPage)])
    if (next.search !== '') entries.push(['search', next.search])
    if (next.page > 1) entries.push(['page', String(next.page)])
    setParams(new URLSearchParams(entries), { replace: isSearch })
  }
  return { ...view, updateView }
}
