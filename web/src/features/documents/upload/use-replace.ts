import { type Document, documentsApi } from '@lyceum/contract/documents'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { upload } from '#api/upload.ts'
import { randomKey } from '#lib/random-key.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { mergeDocument } from '../document-cache.ts'

/** Every attempt uses the same idempotency key, so that the file becomes a version only once. */
export interface NextVersion {
  readonly file: File
  readonly key: string
}

export function createNextVersion(file: File): NextVersion {
  return { file, key: randomKey() }
}

/** Uploads a new version of a document. Unmounting cancels the upload. */
export function useReplace(document: Document, onDone: () => void) {
  const client = useQueryClient()
  const controller = useRef<AbortController | null>(null)
  const [progress, setProgress] = useState(0)
  useEffect(() => () => controller.current?.abort(), [])
  const mutation = useMutation({
    mutationFn: ({ file, key }: NextVersion) => {
      controller.current = new AbortController()
      setProgress(0)
      return upload(
        documentsApi.replace,
        { params: { id: document._id }, file, fields: {} },
        { signal: controller.current.signal, idempotencyKey: key, onProgress: setProgress },
      )
    },
    onSuccess: async (replaced) => {
      banner.success(texts.documents.replace.done)
      await mergeDocument(client, replaced)
      onDone()
    },
  })
  function cancel(): void {
    controller.current?.abort()
    mutation.reset()
  }
  return { send: mutation.mutate, isSending: mutation.isPending, error: mutation.error, progress, cancel }
}
