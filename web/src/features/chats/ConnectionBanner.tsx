import { chatsApi } from '@lyceum/contract/chats'
import { useQueryClient } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { call } from '#api/call.ts'
import { connection } from '#lib/connection.ts'
import { useStore } from '#lib/store.ts'
import { texts } from '#texts/member.ts'
import { chatsKey, threadsKey } from './queries.ts'

/** How often a server that did not answer is asked again. */
const probeMs = 5000

function subscribeOnline(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

type ConnectionState = 'up' | 'offline' | 'unreachable'

/** Whether there is a line to the server; when it is back, what is shown of the channel is loaded anew, once. */
function useConnectionState(channelId: string): ConnectionState {
  const client = useQueryClient()
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine)
  const isReachable = useStore(connection.isReachable)
  const state: ConnectionState = isOnline ? (isReachable ? 'up' : 'unreachable') : 'offline'

  useEffect(() => {
    if (state !== 'unreachable') return
    function probe(): void {
      // Whatever it answers, it answers.
      call(chatsApi.list, { params: { channelId }, query: { limit: 1 } }).catch(() => undefined)
    }
    probe()
    const timer = setInterval(probe, probeMs)
    return () => clearInterval(timer)
  }, [state, channelId])

  const wasDown = useRef(false)
  useEffect(() => {
    if (state === 'up' && wasDown.current) {
      void client.invalidateQueries({ queryKey: chatsKey(channelId) })
      void client.invalidateQueries({ queryKey: threadsKey(channelId) })
    }
    wasDown.current = state !== 'up'
  }, [state, client, channelId])

  return state
}

const words = { up: null, offline: texts.chat.offline, unreachable: texts.chat.unreachable }

/** Says quietly that there is no line to the server. The region is there from the start, so that it is announced. */
export function ConnectionBanner({ channelId }: { channelId: string }) {
  const said = words[useConnectionState(channelId)]
  return (
    <div role="status" className="print:hidden">
      {said !== null && (
        <p className="flex items-start justify-center gap-2 border-warning/35 border-b bg-warning-soft px-4 py-2 text-sm">
          <WifiOff aria-hidden="true" className="mt-px size-4.5 shrink-0 text-warning" strokeWidth={1.75} />
          {said}
        </p>
      )}
    </div>
  )
}
