import { WifiOff } from 'lucide-react'
import { messages } from '../../messages/member.ts'
import { useLine } from './use-line.ts'

const words = { up: null, offline: messages.chat.offline, unreachable: messages.chat.unreachable }

/** Says quietly that there is no line to the server. The region is there from the start, so that it is announced. */
export const LineBanner = ({ channelId }: { channelId: string }) => {
  const said = words[useLine(channelId)]
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
