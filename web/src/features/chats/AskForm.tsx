import type { Channel } from '@lyceum/contract/channels'
import type { RecentChat } from '@lyceum/contract/chats'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { channelsQuery } from '#features/channels/queries.ts'
import { saveDraft } from '#lib/drafts.ts'
import { texts } from '#texts/member.ts'
import { Select } from '#ui/Select.tsx'
import { MessageInput, type MessageInputHandle } from './composer/MessageInput.tsx'
import { setFirstQuestion } from './first-questions.ts'
import { useCreateChat } from './sidebar/use-chats.ts'

/** In place of a chat's id: the text that was typed on the dashboard and not sent. */
const draftId = 'dashboard'

function noop() {
  return undefined
}

/** Opens a new chat of a channel, which then sends the question. Resolves to false when it could not be created. */
function useAsk(userId: string, channelId: string) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const create = useCreateChat(channelId, () => true)
  const [pendingText, setPendingText] = useState('')
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])

  async function ask(question: string): Promise<boolean> {
    setPendingText(question)
    try {
      const { _id: chatId } = await create.mutateAsync({ failed: texts.chat.create.failed })
      saveDraft({ userId, chatId }, question)
      saveDraft({ userId, chatId: draftId }, '')
      // After the user has left, a late response must neither send the question nor navigate.
      if (!isMounted.current) return true
      setFirstQuestion(chatId, question)
      navigate(`/channels/${encodeURIComponent(channelId)}?chat=${encodeURIComponent(chatId)}`)
      return true
    } catch {
      // Perhaps the channel was deleted or archived.
      void client.invalidateQueries({ queryKey: channelsQuery().queryKey, exact: true })
      return false
    } finally {
      setPendingText('')
    }
  }
  return { ask, pendingText }
}

interface Props {
  userId: string
  /** At least one. */
  channels: readonly [Channel, ...Channel[]]
  /** The newest chat comes first. */
  chats: readonly RecentChat[]
}

/** Asks a question in a new chat, by default in the channel of the newest chat. */
export function AskForm({ userId, channels, chats }: Props) {
  const headingId = useId()
  const input = useRef<MessageInputHandle>(null)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const ids = [chosenId, ...chats.map(({ channelId }) => channelId)]
  const preferredId = ids.find((id) => channels.some(({ _id }) => _id === id))
  const channelId = preferredId ?? channels[0]._id
  const { ask, pendingText } = useAsk(userId, channelId)
  const isAsking = pendingText !== ''

  async function handleSend(question: string): Promise<boolean> {
    const isAsked = await ask(question)
    if (!isAsked) input.current?.addLine(question)
    return isAsked
  }

  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-2 font-semibold text-base">
        Ask a question
      </h2>
      <div className="flex flex-col gap-2 sm:flex-row sm:items-start sm:gap-4">
        {channels.length > 1 && (
          <Select
            aria-label="Channel"
            value={channelId}
            disabled={isAsking}
            onChange={(event) => setChosenId(event.target.value)}
            className="shrink-0 sm:w-56 [&_select]:h-12"
          >
            {channels.map(({ _id, name }) => (
              <option key={_id} value={_id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <div className="min-w-0 flex-1 [&_textarea]:max-h-36">
          <MessageInput
            ref={input}
            label="Question"
            placeholder={isAsking ? 'Opening a new chat…' : 'Type your question...'}
            userId={userId}
            chatId={draftId}
            pendingText={pendingText}
            takesFocus="never"
            isLoading={false}
            isLocked={isAsking}
            isBusy={false}
            isStopping={false}
            canStop={false}
            onSend={handleSend}
            onStop={noop}
          />
        </div>
      </div>
    </section>
  )
}
