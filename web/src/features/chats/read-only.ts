import { createContext, use } from 'react'

/** Whether the chat can only be read, because its channel is archived. */
export const ReadOnlyContext = createContext(false)

export function useIsReadOnly(): boolean {
  return use(ReadOnlyContext)
}
