import { type DocumentKind, documentsApi, type Proposal } from '@lyceum/contract/documents'
import { errors } from '@lyceum/contract/errors'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isAborted, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { upload } from '#api/upload.ts'
import { randomKey } from '#lib/random-key.ts'
import { texts } from '#texts/member.ts'
import { banner } from '#ui/banner.ts'
import { toast } from '#ui/toast.ts'
import { proposalsQuery } from '../queries.ts'
import { detectKind } from '../upload/upload-queue.ts'

export function useWithdraw(channelId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ _id }: Proposal) =>
      call(documentsApi.withdraw, { params: { id: channelId, documentId: _id } }),
    onSuccess: () => banner.success(texts.proposals.withdraw.done),
    onError: (error) => banner.error(messageOf(error, texts.proposals.withdraw.failed)),
    // Refetch after a refusal too, because the proposal may have been reviewed in the meantime.
    onSettled: () => client.invalidateQueries({ queryKey: proposalsQuery(channelId).queryKey }),
  })
}

interface Refusal {
  fileName: string
  reason: string
}

/** Sends proposals one at a time. Closing the dialog does not cancel an upload. */
export function usePropose(channelId: string, isOpen: boolean) {
  const client = useQueryClient()
  const [progress, setProgress] = useState(0)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const controller = useRef<AbortController | null>(null)
  const isVisible = useRef(isOpen)
  useEffect(() => {
    isVisible.current = isOpen
    return () => {
      isVisible.current = false
    }
  }, [isOpen])

  const { mutate, isPending, variables } = useMutation({
    mutationFn: (file: File) => {
      controller.current = new AbortController()
      return upload(
        documentsApi.propose,
        { params: { id: channelId }, file, fields: {} },
        { signal: controller.current.signal, idempotencyKey: randomKey(), onProgress: setProgress },
      )
    },
    onSuccess: () => {
      const announce = isVisible.current ? banner : toast
      announce.success(texts.proposals.send.done)
    },
    onError: (error, { name }) => {
      if (isAborted(error)) return
      const reason = messageOf(error, texts.proposals.send.failed)
      setRefusal({ fileName: name, reason })
      if (!isVisible.current) toast.error(reason)
    },
    onSettled: () => client.invalidateQueries({ queryKey: proposalsQuery(channelId).queryKey }),
  })

  return {
    /** The file being uploaded; `progress` is the part that has been sent, from 0 to 1. */
    sending: isPending ? { name: variables.name, progress } : null,
    refusal,
    /** Returns the file's type. If the type is not supported, returns null and sets `refusal`. */
    check: (file: File): DocumentKind | null => {
      const kind = detectKind(file)
      setRefusal(kind === null ? { fileName: file.name, reason: errors['document.type'].message } : null)
      return kind
    },
    send: (file: File): void => {
      setProgress(0)
      mutate(file)
    },
    cancel: (): void => controller.current?.abort(),
  }
}
