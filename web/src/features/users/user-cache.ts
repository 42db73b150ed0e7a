import type { User } from '@lyceum/contract/auth'
import type { QueryClient } from '@tanstack/react-query'
import { type UserPage, userLists } from './queries.ts'

/** Changes a user's row wherever it is listed. */
export async function changeUser(
  client: QueryClient,
  id: string,
  change: (user: User) => User,
): Promise<void> {
  // An answer under way may be older than what is known now.
  await client.cancelQueries({ queryKey: userLists, predicate: ({ state }) => state.data !== undefined })
  client.setQueriesData<UserPage>({ queryKey: userLists }, (page) =>
    page?.items.some(({ _id }) => _id === id)
      ? { ...page, items: page.items.map((user) => (user._id === id ? change(user) : user)) }
      : undefined,
  )
}

export function mergeUser(client: QueryClient, user: User): Promise<void> {
  return changeUser(client, user._id, () => user)
}
