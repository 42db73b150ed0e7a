/**
 * The place of toasts and results: centered at the bottom of the page, above what `useToastLift` observes. While a dialog
 * is open they are at the top of the window, where dialogs leave room for a card with one line. In a drawer they are at its
 * bottom.
 */
export const toastPlace =
  'pointer-events-none fixed right-[calc(1rem+var(--toast-right,0px))] bottom-[min(0.5rem+var(--toast-lift,0.5rem)+var(--keyboard,0px),100dvh-var(--toasts-height,0px)-0.5rem)] left-[calc(1rem+var(--toast-left,0px))] beside-dialog:inset-x-4 beside-dialog:top-1.5 beside-dialog:bottom-auto beside-drawer:right-auto beside-drawer:bottom-2 beside-drawer:left-2 beside-drawer:w-[min(19rem,calc(100vw-4rem))]'
