import type { User } from '@lyceum/contract/auth'
import type { ListedUser } from '@lyceum/contract/users'
import type { QueryClient } from '@tanstack/react-query'
import { type UserPage, userListsKey, userQuery } from './queries.ts'

/** Changes a user in all cached lists, and on the user's page. */
export async function updateCachedUser(
  client: QueryClient,
  id: string,
  change: (user: ListedUser) => ListedUser,
): Promise<void> {
  // A running request may return data older than this change.
  await client.cancelQueries({ queryKey: userListsKey, predicate: ({ state }) => state.data !== undefined })
  client.setQueriesData<UserPage>({ queryKey: userListsKey }, (page) =>
    page?.items.some(({ _id }) => _id === id)
      ? { ...page, items: page.items.map((user) => (user._id === id ? change(user) : user)) }
      : undefined,
  )
  client.setQueryData(userQuery(id).queryKey, (detail) => detail && { ...detail, ...change(detail) })
}

export function replaceCachedUser(client: QueryClient, user: User): Promise<void> {
  return updateCachedUser(client, user._id, (known) => ({ ...known, ...user }))
}
