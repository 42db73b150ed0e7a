/**
 * The place of toasts and results: at the bottom of the window, where pages leave room below their last row, or below the
 * bar of a chat on narrow screens. While a
 * dialog is open they cover its title instead of its rows and buttons, and leave its close button free. On phones they
 * are above the buttons of the dialog, if it has any.
 */
export const toastPlace =
  'pointer-events-none fixed inset-x-4 bottom-[calc(1rem+var(--toast-lift,0rem))] sm:bottom-[calc(1.5rem+var(--toast-lift,0rem))] max-lg:toasts-at-top:top-16 max-lg:toasts-at-top:bottom-auto beside-dialog:top-4 beside-dialog:bottom-auto max-sm:beside-dialog:right-16 max-sm:above-footer:top-auto max-sm:above-footer:right-4 max-sm:above-footer:bottom-[calc(0.75rem+var(--dialog-footer,0px))]'

/** Below the bar of a small frame. */
export const topToastPlace = 'pointer-events-none fixed inset-x-4 top-14'
