import { useEffect } from 'react'
import { isAborted, isNotFound, messageOf } from '#api/api-error.ts'
import { toast } from '#ui/toast.ts'

/** That something is not there says the server of anything alike: only the screen knows what it was. */
function wordsFor(error: Error, fallback: string): string {
  return isNotFound(error) ? fallback : messageOf(error, fallback)
}

/** Says once that something could not be loaded. */
export function useErrorToast(error: Error | null, fallback: string): void {
  useEffect(() => {
    if (error !== null && !isAborted(error)) toast.error(wordsFor(error, fallback))
  }, [error, fallback])
}
