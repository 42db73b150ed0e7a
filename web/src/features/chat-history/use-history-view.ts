import { useSearchParams } from 'wouter'
import { useCan } from '#features/auth/use-can.ts'
import { parseDay, parseOneOf, parsePositiveInt } from '#lib/url-values.ts'

const historyTabs = ['chats', 'users', 'channels'] as const
export type HistoryTab = (typeof historyTabs)[number]

export const pageSizes = [10, 20, 50, 100] as const
const defaultPageSize = 20

export const sortFields = ['createdAt', 'updatedAt', 'messageCount'] as const
export const sortOrders = ['desc', 'asc'] as const

interface HistoryFilter {
  /** Always empty without canSearchChatHistory. */
  search: string
  userId: string | null
  channelId: string | null
  chatId: string
  /** First and last day in the user's time zone, 'YYYY-MM-DD', both inclusive. */
  from: string | null
  to: string | null
  /** Leaves out chats without messages. */
  hidesEmpty: boolean
}

/** What the screen shows, kept in the URL. */
export interface HistoryView extends HistoryFilter {
  tab: HistoryTab
  /** Starts at 1. */
  page: number
  pageSize: number
  sortBy: (typeof sortFields)[number]
  sortOrder: (typeof sortOrders)[number]
}

const noFilters: HistoryFilter = {
  search: '',
  userId: null,
  channelId: null,
  chatId: '',
  from: null,
  to: null,
  hidesEmpty: false,
}

/** The number of active filters, not counting the search. */
export function countFilters({ userId, channelId, chatId, from, to, hidesEmpty }: HistoryFilter): number {
  return [userId, channelId, chatId, from, to, hidesEmpty].filter(Boolean).length
}

const maxPage = 100_000
const searchMaxLength = 200
const idMaxLength = 64

function parsePage(text: string | null): number {
  const page = parsePositiveInt(text) ?? 1
  return page > maxPage ? 1 : page
}

/** Removes characters that no id contains but that pasted text may contain. */
function parseId(text: string | null): string {
  return (text ?? '')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, idMaxLength)
}

function parseView(params: URLSearchParams, canSearch: boolean): HistoryView {
  return {
    tab: parseOneOf(historyTabs, params.get('tab')) ?? 'chats',
    page: parsePage(params.get('page')),
    pageSize: pageSizes.find((size) => size === Number(params.get('size'))) ?? defaultPageSize,
    sortBy: parseOneOf(sortFields, params.get('sort')) ?? 'createdAt',
    sortOrder: parseOneOf(sortOrders, params.get('order')) ?? 'desc',
    search: canSearch ? (params.get('search') ?? '').slice(0, searchMaxLength) : '',
    userId: parseId(params.get('user')) || null,
    channelId: parseId(params.get('channel')) || null,
    chatId: parseId(params.get('chat')),
    from: parseDay(params.get('from')),
    to: parseDay(params.get('to')),
    hidesEmpty: params.get('empty') === 'hide',
  }
}

/** Leaves out default values. */
function toParams(view: HistoryView): URLSearchParams {
  const values = {
    tab: view.tab === 'chats' ? null : view.tab,
    search: view.search,
    user: view.userId,
    channel: view.channelId,
    chat: view.chatId,
    from: view.from,
    to: view.to,
    empty: view.hidesEmpty ? 'hide' : null,
    sort: view.sortBy === 'createdAt' ? null : view.sortBy,
    order: view.sortOrder === 'desc' ? null : view.sortOrder,
    size: view.pageSize === defaultPageSize ? null : String(view.pageSize),
    page: view.page > 1 ? String(view.page) : null,
  }
  const entries = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return new URLSearchParams(entries)
}

export function useHistoryView() {
  const [params, setParams] = useSearchParams()
  const canSearch = useCan('canSearchChatHistory')
  const view = parseView(params, canSearch)
  function show(next: HistoryView, replace = false): void {
    setParams(toParams(next), { replace })
  }

  return {
    view,
    isFiltered: view.search !== '' || countFilters(view) > 0,
    /** Changes filters or order and returns to the first page. */
    filter: (change: Partial<Omit<HistoryView, 'page' | 'tab'>>): void => {
      // Continued typing replaces the history entry, so that Back skips the whole search.
      const isContinuedSearch =
        (view.search !== '' && Boolean(change.search)) || (view.chatId !== '' && Boolean(change.chatId))
      show({ ...view, ...change, page: 1 }, isContinuedSearch)
    },
    clear: (): void => show({ ...view, ...noFilters, page: 1 }),
    goToPage: (page: number): void => show({ ...view, page }),
    showTab: (tab: HistoryTab): void => show({ ...view, tab, page: 1 }),
    /** Lists all chats of one user or channel. Clears the other filters, because the summary counts every chat. */
    showChatsOf: (owner: { userId: string } | { channelId: string }): void =>
      show({ ...view, ...noFilters, ...owner, tab: 'chats', page: 1 }),
  }
}

export type HistoryState = ReturnType<typeof useHistoryView>
