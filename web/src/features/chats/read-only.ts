import { createContext, use } from 'react'

/** Whether the chat can only be read, because its channel is archived or a limit is used up. */
export const ReadOnlyContext = createContext(false)

export function useIsReadOnly(): boolean {
  return use(ReadOnlyContext)
}
