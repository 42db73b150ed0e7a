import type { User } from '@lyceum/contract/auth'
import type { QueryClient } from '@tanstack/react-query'
import { type UserPage, userListsKey } from './queries.ts'

/** Changes a user in all cached lists. */
export async function updateCachedUser(
  client: QueryClient,
  id: string,
  change: (user: User) => User,
): Promise<void> {
  // A running request may return data older than this change.
  await client.cancelQueries({ queryKey: userListsKey, predicate: ({ state }) => state.data !== undefined })
  client.setQueriesData<UserPage>({ queryKey: userListsKey }, (page) =>
    page?.items.some(({ _id }) => _id === id)
      ? { ...page, items: page.items.map((user) => (user._id === id ? change(user) : user)) }
      : undefined,
  )
}

export function replaceCachedUser(client: QueryClient, user: User): Promise<void> {
  return updateCachedUser(client, user._id, () => user)
}
