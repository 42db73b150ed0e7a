import { type Role, roles } from '@lyceum/contract/permissions'
import { type UserStatus, userStatuses } from '@lyceum/contract/users'
import { useSearchParams } from 'wouter'
import { parseOneOf } from '#lib/url-values.ts'

export const userOrders = ['name', 'latest', 'earliest', 'newest'] as const
/** By name, by last sign-in in both directions, or newest users first. */
export type UserOrder = (typeof userOrders)[number]

export interface UsersView {
  page: number
  search: string
  /** Null for all roles. */
  role: Role | null
  /** Null for active and deactivated users. */
  status: UserStatus | null
  order: UserOrder
  /** Only the members of this group; null for all users. */
  groupId: string | null
  /** The page of the invitation list. */
  invitationsPage: number
}

function parsePage(text: string | null): number {
  const page = Number(text)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** The pages, filters and order of the users screen, kept in the URL. */
export function useUsersView() {
  const [params, setParams] = useSearchParams()
  const view: UsersView = {
    page: parsePage(params.get('page')),
    search: params.get('search') ?? '',
    role: parseOneOf(roles, params.get('role')),
    status: parseOneOf(userStatuses, params.get('status')),
    order: parseOneOf(userOrders, params.get('sort')) ?? 'name',
    groupId: params.get('group'),
    invitationsPage: parsePage(params.get('invitations')),
  }

  function updateView(change: Partial<UsersView>): void {
    const isSearch = change.search !== undefined
    const startsOver =
      isSearch ||
      change.role !== undefined ||
      change.status !== undefined ||
      change.order !== undefined ||
      change.groupId !== undefined
    const next = { ...view, ...(startsOver ? { page: 1 } : {}), ...change }
    const entries: [string, string][] = []
    if (next.invitationsPage > 1) entries.push(['invitations', String(next.invitationsPage)])
    if (next.search !== '') entries.push(['search', next.search])
    if (next.groupId !== null) entries.push(['group', next.groupId])
    if (next.role !== null) entries.push(['role', next.role])
    if (next.status !== null) entries.push(['status', next.status])
    if (next.order !== 'name') entries.push(['sort', next.order])
    if (next.page > 1) entries.push(['page', String(next.page)])
    setParams(new URLSearchParams(entries), { replace: isSearch })
  }
  return { ...view, updateView }
}
