import {
  type DocumentIndexFilter,
  type DocumentStatus,
  documentIndexFilter,
} from '@lyceum/contract/documents'
import { useSearchParams } from 'wouter'

export const reviewTabs = [
  { value: 'pending', label: 'Pending Approval' },
  { value: 'approved', label: 'Approved Documents' },
] as const

function parseStatus(text: string | null): DocumentStatus {
  return text === 'approved' || text === 'rejected' ? text : 'pending'
}

export interface DocumentView {
  /** Rejected documents have no tab but a view of their own. */
  status: DocumentStatus
  /** Empty means all channels. */
  channelId: string
  /** Empty means all users. The page of a user links to their uploads. */
  uploaderId: string
  search: string
  /** Only approved documents with this problem. */
  index: DocumentIndexFilter | null
  page: number
}

/** The filter of the list, without the page. */
export function toFilter({ status, channelId, uploaderId, search, index }: DocumentView) {
  return {
    // A document is in use, and may have no vectors, while a new version of it is pending.
    ...(index === 'without-vectors' ? {} : { status }),
    ...(channelId === '' ? {} : { channelId }),
    ...(uploaderId === '' ? {} : { uploaderId }),
    ...(search === '' ? {} : { search }),
    ...(index === null ? {} : { index }),
  }
}

const noFilters = { channelId: '', uploaderId: '', search: '', index: null, page: 1 }

function parseIndexFilter(text: string | null): DocumentIndexFilter | null {
  return documentIndexFilter.safeParse(text).data ?? null
}

function parsePage(text: string | null): number {
  const page = Number(text)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** Keeps the view in the URL, so that it can be reloaded, bookmarked and reached with Back. */
export function useDocumentView() {
  const [params, setParams] = useSearchParams()
  const status = parseStatus(params.get('status'))
  const view: DocumentView = {
    status,
    channelId: params.get('channelId') ?? '',
    uploaderId: params.get('uploaderId') ?? '',
    search: params.get('search') ?? '',
    index: status === 'approved' ? parseIndexFilter(params.get('index')) : null,
    page: parsePage(params.get('page')),
  }

  function updateView(change: Partial<DocumentView>, replace = false): void {
    const { status, channelId, uploaderId, search, index, page } = { ...view, page: 1, ...change }
    const next = new URLSearchParams()
    if (status !== 'pending') next.set('status', status)
    if (channelId !== '') next.set('channelId', channelId)
    if (uploaderId !== '') next.set('uploaderId', uploaderId)
    if (search !== '') next.set('search', search)
    if (index !== null && status === 'approved') next.set('index', index)
    if (page > 1) next.set('page', String(page))
    setParams(next, { replace })
  }

  return {
    view,
    updateView,
    isFiltered: view.channelId !== '' || view.uploaderId !== '' || view.search !== '' || view.index !== null,
    clearFilters: (): void => updateView(noFilters),
  }
}
