import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { channelsKey } from '#features/channels/queries.ts'
import { useStore } from '#lib/store.ts'
import { documentListsKey } from '../queries.ts'
import { type UploadEntry, uploads } from './upload-queue.ts'

export function useUploads(channelId: string): readonly UploadEntry[] {
  return useStore(uploads).filter((entry) => entry.channelId === channelId)
}

/** Refetches lists and counts when an upload has been stored. Use it once per screen that shows them. */
export function useRefetchAfterUpload(): void {
  const client = useQueryClient()
  const stored = useStore(uploads.storedCount)
  useEffect(() => {
    if (stored === 0) return
    void client.invalidateQueries({ queryKey: documentListsKey })
    void client.invalidateQueries({ queryKey: channelsKey })
  }, [client, stored])
}
