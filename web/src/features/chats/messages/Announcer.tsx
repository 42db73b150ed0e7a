import type { ChatMessage } from '@lyceum/contract/chats'
import { useEffect, useRef, useState } from 'react'
import { toSpokenText } from './spoken-text.ts'
import { useSetupRemedy } from './use-setup-remedy.ts'

interface Props {
  channelId: string
  isBusy: boolean
  /** The reply that this tab followed last. */
  reply: ChatMessage | undefined
  /** The length of the text that was announced before; above 0 when a reply is continued. */
  alreadySpokenLength: number
}

/** Announces once that the assistant is typing, and then the complete reply or why it failed. A growing message is not announced. */
export function Announcer({ channelId, isBusy, reply, alreadySpokenLength }: Props) {
  const [announcement, setAnnouncement] = useState('')
  const wasBusy = useRef(false)
  const findRemedy = useSetupRemedy(channelId)
  const problem = reply?.setupProblem
  const failure = problem === undefined ? (reply?.error ?? '') : findRemedy(problem).text
  const error = reply?.state === 'failed' ? failure : ''
  useEffect(() => {
    if (isBusy) setAnnouncement('Assistant is typing')
    else if (wasBusy.current) {
      const text = reply ? toSpokenText(reply.content.slice(alreadySpokenLength)) : ''
      setAnnouncement(`${text} ${error}`.trim())
    }
    wasBusy.current = isBusy
  }, [isBusy, reply, error, alreadySpokenLength])
  const isMended = reply?.isMended === true
  useEffect(() => {
    if (isMended) setAnnouncement('This channel can answer now.')
  }, [isMended])
  return (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  )
}
