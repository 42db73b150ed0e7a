import { useSearchParams } from 'wouter'

export const reviewTabs = [
  { value: 'pending', label: 'Pending Approval' },
  { value: 'approved', label: 'Approved Documents' },
] as const
type ReviewTab = (typeof reviewTabs)[number]['value']

export interface DocumentView {
  status: ReviewTab
  /** Empty for all. */
  channelId: string
  search: string
  page: number
}

/** What the list is asked for, whatever the page. */
export function filterOf({ status, channelId, search }: DocumentView) {
  return {
    status,
    ...(channelId === '' ? {} : { channelId }),
    ...(search === '' ? {} : { search }),
  }
}

const nothingFiltered = { channelId: '', search: '', page: 1 }

function wholeNumber(text: string | null): number {
  const number = Number(text)
  return Number.isSafeInteger(number) && number > 0 ? number : 1
}

/** What the screen shows is in its address, so that it can be reloaded, shared and gone back to. */
export function useDocumentView() {
  const [params, setParams] = useSearchParams()
  const view: DocumentView = {
    status: params.get('status') === 'approved' ? 'approved' : 'pending',
    channelId: params.get('channelId') ?? '',
    search: params.get('search') ?? '',
    page: wholeNumber(params.get('page')),
  }

  function show(change: Partial<DocumentView>, replace = false): void {
    const { status, channelId, search, page } = { ...view, page: 1, ...change }
    const next = new URLSearchParams()
    if (status !== 'pending') next.set('status', status)
    if (channelId !== '') next.set('channelId', channelId)
    if (search !== '') next.set('search', search)
    if (page > 1) next.set('page', String(page))
    setParams(next, { replace })
  }

  return {
    view,
    show,
    isFiltered: view.channelId !== '' || view.search !== '',
    clearFilters: (): void => show(nothingFiltered),
  }
}
