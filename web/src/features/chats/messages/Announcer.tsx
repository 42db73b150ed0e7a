import type { ChatMessage } from '@lyceum/contract/chats'
import { useEffect, useRef, useState } from 'react'

const longestRead = 1000

/** A reply as it sounds: without the marks that lay it out. */
function spoken(markdown: string): string {
  const text = markdown.replaceAll(/[*_`#>|~]+/g, ' ').replaceAll(/\s+/g, ' ')
  return text.length > longestRead ? `${text.slice(0, longestRead)}…` : text
}

interface Props {
  isBusy: boolean
  /** The reply that is being written or was written last; none of those that were there before. */
  reply: ChatMessage | undefined
  /** How much of it was said before, where it goes on with one that broke off. */
  saidBefore: number
}

/** Says once that the assistant is typing and once what it said. The messages themselves are not read out as they grow. */
export function Announcer({ isBusy, reply, saidBefore }: Props) {
  const [said, setSaid] = useState('')
  const wasBusy = useRef(false)
  useEffect(() => {
    if (isBusy) setSaid('Assistant is typing')
    else if (wasBusy.current) setSaid(reply ? spoken(reply.content.slice(saidBefore)) : '')
    wasBusy.current = isBusy
  }, [isBusy, reply, saidBefore])
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  )
}
