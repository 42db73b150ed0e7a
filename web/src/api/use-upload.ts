import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { UploadOptions } from './upload.ts'

/** Uploads one file and reports its progress. Unmounting cancels the upload. */
export function useUpload<R>(
  send: (file: File, options: UploadOptions) => Promise<R>,
  onDone: (reply: R, file: File) => unknown,
) {
  const controllerRef = useRef<AbortController | null>(null)
  const [progress, setProgress] = useState(0)
  useEffect(() => () => controllerRef.current?.abort(), [])
  const mutation = useMutation({
    mutationFn: (file: File) => {
      const controller = new AbortController()
      controllerRef.current = controller
      setProgress(0)
      return send(file, { signal: controller.signal, onProgress: setProgress })
    },
    onSuccess: onDone,
  })
  function cancel(): void {
    controllerRef.current?.abort()
    mutation.reset()
  }
  return { send: mutation.mutate, isSending: mutation.isPending, error: mutation.error, progress, cancel }
}
