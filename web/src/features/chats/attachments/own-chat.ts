import { createContext } from 'react'
import type { ChatAddress } from './queries.ts'

/** The chat on the page, if it belongs to the user: only its owner sees its pictures. */
export const OwnChatContext = createContext<ChatAddress | null>(null)
