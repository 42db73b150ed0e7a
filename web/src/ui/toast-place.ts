/**
 * The place of toasts and results: at the bottom of the window, where pages leave room below their last row. While a
 * dialog is open they cover its title instead of its rows and buttons, and leave its close button free.
 */
export const toastPlace =
  'pointer-events-none fixed inset-x-4 bottom-[calc(1rem+var(--toast-lift,0rem))] sm:bottom-[calc(1.5rem+var(--toast-lift,0rem))] beside-dialog:top-4 beside-dialog:bottom-auto max-sm:beside-dialog:right-16'
