import { useEffect } from 'react'
import { ResultBanner } from './ResultBanner.tsx'
import { toasts } from './toast.ts'

/** The results of an open dialog. They are part of it, so that the keyboard reaches them. */
export function DialogResults() {
  useEffect(() => toasts.endSuccesses(), [])
  return <ResultBanner isInDialog />
}
