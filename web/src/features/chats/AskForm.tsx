import type { Channel } from '@lyceum/contract/channels'
import type { RecentChat } from '@lyceum/contract/chats'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { channelsQuery } from '#features/channels/queries.ts'
import { saveDraft } from '#lib/drafts.ts'
import { texts } from '#texts/member.ts'
import { cx } from '#ui/cx.ts'
import { Select } from '#ui/Select.tsx'
import { LimitNote } from './composer/LimitNote.tsx'
import { MessageInput, type MessageInputHandle } from './composer/MessageInput.tsx'
import { setFirstQuestion } from './first-questions.ts'
import { onChangeInOtherTab } from './other-tabs.ts'
import { quotaLeftKey, quotaLeftQuery } from './queries.ts'
import { QuotaNote } from './quotas/QuotaNote.tsx'
import { useCreateChat } from './sidebar/use-chats.ts'
import { startersQuery } from './starters/queries.ts'
import { useIsNewly } from './use-is-newly.ts'

/** In place of a chat's id: the text that was typed on the dashboard and not sent. */
const draftId = 'dashboard'

function noop() {
  return undefined
}

/** Another tab may have used up the limit since it was loaded. If the check fails, the server decides. */
async function isLimitUsedUp(client: QueryClient, channelId: string): Promise<boolean> {
  try {
    const query = quotaLeftQuery(channelId)
    // Offline, the check fails at once instead of being paused.
    const quotaLeft = await client.fetchQuery({ ...query, staleTime: 0, retry: false, networkMode: 'always' })
    return quotaLeft?.left === 0
  } catch {
    return false
  }
}

/**
 * Opens a new chat of a channel, which then sends the question. Resolves to false when no chat was created, because the
 * limit is used up or the request failed.
 */
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
      // Check first, because the chat would stay behind empty.
      if ((await isLimitUsedUp(client, channelId)) || !isMounted.current) return false
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

/** A question in another tab also uses up the limit. */
function useQuotaOfOtherTabs(): void {
  const client = useQueryClient()
  useEffect(
    () => onChangeInOtherTab(() => void client.invalidateQueries({ queryKey: quotaLeftKey })),
    [client],
  )
}

interface SuggestionsProps {
  channel: Channel
  isDisabled: boolean
  isOnPhones: boolean
  onChoose: (question: string) => void
}

/**
 * The questions that an empty chat of the channel offers, otherwise what the channel is about. On wide screens, their
 * place is kept while they load.
 */
function Suggestions({ channel, isDisabled, isOnPhones, onChoose }: SuggestionsProps) {
  const { data: questions = [], isPending } = useQuery(startersQuery(channel._id))
  return (
    <div className={cx('mt-3 sm:min-h-16', !isOnPhones && 'max-sm:hidden')}>
      {!isPending && questions.length === 0 && channel.description !== '' && (
        <p className="wrap-anywhere line-clamp-2 text-muted text-sm max-sm:hidden">
          About this channel: <bdi>{channel.description}</bdi>
        </p>
      )}
      {questions.length > 0 && (
        <ul aria-label="Suggested questions" className="flex gap-2 max-sm:flex-col">
          {questions.map((question) => (
            <li key={question} className="flex min-w-0 flex-1">
              <button
                type="button"
                aria-disabled={isDisabled || undefined}
                onClick={() => !isDisabled && onChoose(question)}
                className="min-h-11 w-full rounded-card border border-hairline bg-raised px-4 py-2.5 text-start text-sm transition-colors hover:border-link aria-disabled:cursor-not-allowed aria-disabled:opacity-60 sm:min-h-16"
              >
                <span dir="auto" className="wrap-anywhere line-clamp-2">
                  {question}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface ChannelChoiceProps {
  channels: readonly Channel[]
  channel: Channel
  isDisabled: boolean
  onChoose: (id: string) => void
}

function ChannelChoice({ channels, channel, isDisabled, onChoose }: ChannelChoiceProps) {
  if (channels.length === 1)
    return (
      <p dir="auto" className="min-w-0 truncate text-muted text-sm">
        {channel.name}
      </p>
    )
  return (
    <Select
      aria-label="Channel"
      value={channel._id}
      disabled={isDisabled}
      onChange={(event) => onChoose(event.target.value)}
      className="min-w-0 max-w-64 max-sm:max-w-full"
    >
      {channels.map(({ _id, name }) => (
        <option key={_id} value={_id}>
          {name}
        </option>
      ))}
    </Select>
  )
}

interface Props {
  userId: string
  /** Those that can answer; at least one. */
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
  const preferred = ids.flatMap((id) => channels.find(({ _id }) => _id === id) ?? [])
  const channel = preferred[0] ?? channels[0]
  const channelId = channel._id
  const { ask, pendingText } = useAsk(userId, channelId)
  const isAsking = pendingText !== ''
  const { data: quotaLeft } = useQuery(quotaLeftQuery(channelId))
  useQuotaOfOtherTabs()
  const isExhausted = quotaLeft?.left === 0
  const usedUp = isExhausted && !isAsking ? quotaLeft : null
  const isNewlyExhausted = useIsNewly(quotaLeft === undefined ? undefined : isExhausted)

  async function handleSend(question: string): Promise<boolean> {
    const isAsked = await ask(question)
    if (!isAsked) input.current?.addLine(question)
    return isAsked
  }

  return (
    <section aria-labelledby={headingId}>
      <div className="mb-2 flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-2 pointer-coarse:min-h-11">
        <h2 id={headingId} className="shrink-0 font-semibold text-lg sm:text-2xl">
          Ask a question
        </h2>
        {/* The user's own limit applies in every channel, so there is nothing to choose. */}
        {usedUp?.whose !== 'own' && (
          <ChannelChoice channels={channels} channel={channel} isDisabled={isAsking} onChoose={setChosenId} />
        )}
      </div>
      {usedUp ? (
        <LimitNote draftKey={{ userId, chatId: draftId }} isNew={isNewlyExhausted} left={usedUp} />
      ) : (
        <>
          <div className="[&_textarea]:max-h-36 sm:[&_textarea]:min-h-24">
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
          <QuotaNote channelId={channelId} />
          <Suggestions
            channel={channel}
            isDisabled={isAsking}
            isOnPhones={chats.length === 0}
            onChoose={(question) => input.current?.submit(question)}
          />
        </>
      )}
    </section>
  )
}
