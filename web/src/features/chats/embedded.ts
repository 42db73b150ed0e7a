import { createContext, use } from 'react'

/** Whether the chat is shown on another site. Its sign-in can neither attach nor open files. */
export const EmbeddedContext = createContext(false)

export function useIsEmbedded(): boolean {
  return use(EmbeddedContext)
}
