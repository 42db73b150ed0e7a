const keyOf = (chatId: string): string => `lyceum.draft.${chatId}`

/** What has been typed but not sent, by chat. Kept for this tab only: a draft is nobody else's business. */
export const readDraft = (chatId: string): string => {
  try {
    return sessionStorage.getItem(keyOf(chatId)) ?? ''
  } catch {
    return ''
  }
}

export const keepDraft = (chatId: string, text: string): void => {
  try {
    if (text === '') sessionStorage.removeItem(keyOf(chatId))
    else sessionStorage.setItem(keyOf(chatId), text)
  } catch {
    // A browser that stores nothing forgets drafts.
  }
}
