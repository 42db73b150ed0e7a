import { useEffect, useState } from 'react'
import { findPdfFault } from './pdf-fault.ts'

/** Why the PDF cannot be read; null if it can, or while that is not known yet. */
export function usePdfFault(file: File | null): string | null {
  const [found, setFound] = useState<{ file: File; fault: string | null } | null>(null)
  useEffect(() => {
    if (file === null) return
    let isCurrent = true
    void findPdfFault(file).then((fault) => {
      if (isCurrent) setFound({ file, fault })
    })
    return () => {
      isCurrent = false
    }
  }, [file])
  return found !== null && found.file === file ? found.fault : null
}
