/**
 * The place of toasts and results: at the bottom of the window, where pages leave room below their last row, or below the
 * bar of a chat on narrow screens. While a dialog is open they are at the top of the window, where they cover at most its
 * title, and leave its close button free.
 */
export const toastPlace =
  'pointer-events-none fixed inset-x-4 bottom-[calc(1rem+var(--toast-lift,0rem))] sm:bottom-[calc(1.5rem+var(--toast-lift,0rem))] max-lg:toasts-at-top:top-16 max-lg:toasts-at-top:bottom-auto beside-dialog:top-4 beside-dialog:bottom-auto max-sm:beside-dialog:right-16'

/** Below the bar of a small frame. */
export const topToastPlace = 'pointer-events-none fixed inset-x-4 top-14'
