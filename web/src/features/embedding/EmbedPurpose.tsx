import { embeddingApi } from '@lyceum/contract/embedding'
import { useEffect, useState } from 'react'
import { isAborted } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { log } from '#lib/log.ts'
import { product } from '#theme/product.ts'

/** The channel's name if everyone may know it. Without the query library, as on all pages for visitors. */
function usePublicName(channelId: string): string | null {
  const [name, setName] = useState<string | null>(null)
  useEffect(() => {
    const controller = new AbortController()
    call(embeddingApi.describe, { params: { channelId } }, { signal: controller.signal }).then(
      (channel) => setName(channel.name),
      (error: unknown) => {
        if (!isAborted(error)) log('The channel could not be loaded', error)
      },
    )
    return () => controller.abort()
  }, [channelId])
  return name
}

/** What a member signs in for in the pop-up of the chat on another site. */
export function EmbedPurpose({ channelId, site }: { channelId: string; site: URL }) {
  const name = usePublicName(channelId)
  return (
    <span className="wrap-anywhere">
      Use your {product.name} account to chat{' '}
      {name !== null && (
        <>
          in <bdi>{name}</bdi>{' '}
        </>
      )}
      on <bdi>{site.host}</bdi>.
    </span>
  )
}
