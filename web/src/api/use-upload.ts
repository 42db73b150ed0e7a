import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { UploadOptions } from './upload.ts'

/** Uploads one file and reports its progress. Unmounting cancels the upload. */
export function useUpload<R>(
  send: (file: File, options: UploadOptions) => Promise<R>,
  onDone: (reply: R, file: File) => unknown,
) {
  const abort = useRef<AbortController | null>(null)
  const [progress, setProgress] = useState(0)
  useEffect(() => () => abort.current?.abort(), [])
  const sending = useMutation({
    mutationFn: (file: File) => {
      const controller = new AbortController()
      abort.current = controller
      setProgress(0)
      return send(file, { signal: controller.signal, onProgress: setProgress })
    },
    onSuccess: onDone,
  })
  function cancel(): void {
    abort.current?.abort()
    sending.reset()
  }
  return { send: sending.mutate, isSending: sending.isPending, error: sending.error, progress, cancel }
}
