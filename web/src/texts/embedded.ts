import { visitorDays } from '@lyceum/contract/embedding'

/** Texts of the chat on other sites. */
export const texts = {
  notAvailable: 'This chat is not available.',
  loadFailed: 'The chat could not be loaded.',
  checkConnection: 'Check your connection and try again.',
  ended: 'Your session has ended.',
  startFailed: 'The chat could not be started. Please try again.',
  popupBlocked: 'Your browser blocked the sign-in window. Allow pop-ups for this page and try again.',
  continueInPopup: 'Continue in the window that opened.',
  signInCancelled: 'The sign-in was cancelled. You can try again.',
  signInUnfinished: 'You are not signed in yet. You can try again.',
  leave: `You will not be able to read your messages here again. They are deleted ${visitorDays} days after the last one.`,
  signInAgain: 'Sign in again to see your chats.',
} as const
