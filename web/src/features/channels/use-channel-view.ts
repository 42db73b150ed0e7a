import { useSearchParams } from 'wouter'

/** Which channels the screen lists; it is in its address. */
export const useChannelView = () => {
  const [params, setParams] = useSearchParams()
  const search = params.get('search') ?? ''
  const given = Number(params.get('page'))
  const page = Number.isSafeInteger(given) && given > 0 ? given : 1

  const show = (change: { page?: number; search?: string }): void => {
    const next = { search, page: 1, ...change }
    const entries: [string, string][] = []
    if (next.search !== '') entries.push(['search', next.search])
    if (next.page > 1) entries.push(['page', String(next.page)])
    setParams(new URLSearchParams(entries), { replace: change.search !== undefined })
  }
  return { page, search, show }
}
