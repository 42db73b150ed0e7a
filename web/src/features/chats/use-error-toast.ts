import { useEffect } from 'react'
import { isAborted, isNotFound, messageOf } from '#api/api-error.ts'
import { toast } from '#ui/toast.ts'

/** The server's 404 text is generic, so the screen's own is used. */
function textFor(error: Error, fallback: string): string {
  return isNotFound(error) ? fallback : messageOf(error, fallback)
}

/** Shows a load error once. */
export function useErrorToast(error: Error | null, fallback: string): void {
  useEffect(() => {
    if (error !== null && !isAborted(error)) toast.error(textFor(error, fallback))
  }, [error, fallback])
}
