import { useEffect } from 'react'
import { isAborted, messageOf } from '#api/api-error.ts'
import { toast } from '#ui/toast.ts'

/** Says once that something could not be loaded. */
export const useErrorToast = (error: Error | null, fallback: string): void => {
  useEffect(() => {
    if (error !== null && !isAborted(error)) toast.error(messageOf(error, fallback))
  }, [error, fallback])
}
