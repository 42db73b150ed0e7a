import { roles } from '@lyceum/contract/permissions'
import { userStatuses } from '@lyceum/contract/users'
import { parseOneOf } from '#lib/url-values.ts'
import { SearchInput } from '#ui/SearchInput.tsx'
import { Select } from '#ui/Select.tsx'
import { type UsersView, userOrders } from './use-users-view.ts'

interface Props extends Pick<UsersView, 'search' | 'role' | 'status' | 'order'> {
  onChange: (change: Partial<UsersView>) => void
}

export function UserListFilters({ search, role, status, order, onChange }: Props) {
  return (
    <div className="flex w-full flex-wrap gap-3 sm:w-auto">
      <SearchInput
        label="Search users"
        value={search}
        onSearch={(text) => onChange({ search: text })}
        className="w-full sm:w-64"
      />
      <Select
        aria-label="Filter by role"
        className="min-w-0 grow basis-36 sm:flex-none"
        value={role ?? ''}
        onChange={({ target }) => onChange({ role: parseOneOf(roles, target.value) })}
      >
        <option value="">All roles</option>
        <option value="user">Users</option>
        <option value="admin">Administrators</option>
      </Select>
      <Select
        aria-label="Filter by status"
        className="min-w-0 grow basis-36 sm:flex-none"
        value={status ?? ''}
        onChange={({ target }) => onChange({ status: parseOneOf(userStatuses, target.value) })}
      >
        <option value="">All statuses</option>
        <option value="active">Active</option>
        <option value="deactivated">Deactivated</option>
      </Select>
      <Select
        aria-label="Sort by"
        className="min-w-0 grow basis-48 sm:flex-none"
        value={order}
        onChange={({ target }) => onChange({ order: parseOneOf(userOrders, target.value) ?? 'name' })}
      >
        <option value="name">Sort by name</option>
        <option value="latest">Latest sign-in first</option>
        <option value="earliest">Earliest sign-in first</option>
        <option value="newest">Newest users first</option>
      </Select>
    </div>
  )
}
