import { useSearchParams } from 'wouter'

interface UsersView {
  /** Of the users, from 1. */
  page: number
  search: string
  /** The page of the invitations. */
  invitations: number
}

function pageOf(text: string | null): number {
  const given = Number(text)
  return Number.isSafeInteger(given) && given > 0 ? given : 1
}

/** What the users' screen lists; it is in its address. */
export function useUsersView() {
  const [params, setParams] = useSearchParams()
  const view: UsersView = {
    page: pageOf(params.get('page')),
    search: params.get('search') ?? '',
    invitations: pageOf(params.get('invitations')),
  }

  function show(change: Partial<UsersView>): void {
    const isSearch = change.search !== undefined
    const next = { ...view, ...(isSearch ? { page: 1 } : {}), ...change }
    const entries: [string, string][] = []
    if (next.invitations > 1) entries.push(['invitations', String(next.invitations)])
    if (next.search !== '') entries.push(['search', next.search])
    if (next.page > 1) entries.push(['page', String(next.page)])
    setParams(new URLSearchParams(entries), { replace: isSearch })
  }
  return { ...view, show }
}
