import { chatsApi } from '@lyceum/contract/chats'
import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { call } from '#api/call.ts'
import { type ConnectionState, connection } from '#lib/connection.ts'
import { useStore } from '#lib/store.ts'
import { texts } from '#texts/member.ts'
import { chatsKey, threadsKey } from './queries.ts'

/** How often an unreachable server is probed, and how long a probe waits for the answer. */
const probeMs = 5000

/** Any response, even an error, means that the server is reachable. */
async function probe(channelId: string): Promise<void> {
  try {
    const signal = AbortSignal.timeout(probeMs)
    await call(chatsApi.list, { params: { channelId }, query: { limit: 1 } }, { signal })
    // Queries would otherwise wait for the browser, which may be wrong about the network.
    onlineManager.setOnline(true)
  } catch {
    connection.confirmLoss()
  }
}

/** Probes the server after a failed request, and when the browser reports that its network is lost or back. */
function useProbes(channelId: string): void {
  const isReachable = useStore(connection.isReachable)
  useEffect(() => {
    function suspectLoss(): void {
      connection.setReachable(false)
    }
    if (!navigator.onLine) suspectLoss()
    addEventListener('offline', suspectLoss)
    return () => removeEventListener('offline', suspectLoss)
  }, [])
  useEffect(() => {
    if (isReachable) return
    function probeChannel(): void {
      void probe(channelId)
    }
    probeChannel()
    const timer = setInterval(probeChannel, probeMs)
    addEventListener('online', probeChannel)
    return () => {
      clearInterval(timer)
      removeEventListener('online', probeChannel)
    }
  }, [isReachable, channelId])
}

/** When the connection is restored, the channel's chats are loaded again. */
function useReload(channelId: string, state: ConnectionState): void {
  const client = useQueryClient()
  const wasDown = useRef(false)
  useEffect(() => {
    if (state === 'up' && wasDown.current) {
      void client.invalidateQueries({ queryKey: chatsKey(channelId) })
      void client.invalidateQueries({ queryKey: threadsKey(channelId) })
    }
    wasDown.current = state !== 'up'
  }, [state, client, channelId])
}

const stateTexts = {
  up: null,
  offline: texts.chat.offline.banner,
  unreachable: texts.chat.unreachable.banner,
}

/** Shown while the server is unreachable. The region is always mounted, so that screen readers announce the change. */
export function ConnectionBanner({ channelId }: { channelId: string }) {
  const state = useStore(connection.state)
  useProbes(channelId)
  useReload(channelId, state)
  const message = stateTexts[state]
  return (
    <div role="status" className="print:hidden">
      {message !== null && (
        <p className="flex items-start justify-center gap-2 border-warning/35 border-b bg-warning-soft px-4 py-2 text-sm">
          <WifiOff aria-hidden="true" className="mt-px size-4.5 shrink-0 text-warning" strokeWidth={1.75} />
          {message}
        </p>
      )}
    </div>
  )
}
