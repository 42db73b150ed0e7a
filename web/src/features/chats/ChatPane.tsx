import { useQuery } from '@tanstack/react-query'
import { MessageSquareOff, Plus } from 'lucide-react'
import { type ReactNode, useDeferredValue } from 'react'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { Conversation } from './Conversation.tsx'
import { ArchivedNote } from './composer/ArchivedNote.tsx'
import { ChatFooter } from './composer/ChatFooter.tsx'
import { LimitNote } from './composer/LimitNote.tsx'
import { MessageInput } from './composer/MessageInput.tsx'
import { SetupNote, useSetupProblem } from './composer/SetupNote.tsx'
import { quotaLeftQuery } from './queries.ts'
import type { OpenCitation } from './reply/citation.ts'
import type { ChatSelection } from './sidebar/use-chat-selection.ts'
import { useChannelWatch } from './use-channel-watch.ts'
import { useIsArchived } from './use-is-archived.ts'
import { useIsNewly } from './use-is-newly.ts'

interface Props {
  userId: string
  channelId: string
  selection: ChatSelection
  onOpenCitation: OpenCitation
  /** Undefined unless the user administers the channel. */
  onAddStarters?: (() => void) | undefined
  /** Undefined unless the user may propose documents. */
  onPropose?: (() => void) | undefined
  /** A way to continue after a limit is used up. */
  limitAction?: ReactNode
  /** List items below the last message. */
  tail?: ReactNode
}

function noop() {
  return undefined
}

/** The selected chat, or an empty state. */
export function ChatPane(props: Props) {
  const { userId, channelId, selection, onOpenCitation, onAddStarters, onPropose, limitAction, tail } = props
  const { currentId, createdId, replaceMissingChat } = selection
  // Rendered after the rest of the page, and when the chat becomes known, in short steps: a slow phone responds
  // meanwhile.
  const shown = useDeferredValue<'nothing' | 'no-chat' | 'chat'>(
    currentId === null ? 'no-chat' : 'chat',
    'nothing',
  )
  if (shown === 'nothing') return <div className="min-h-0 flex-1" aria-busy="true" />
  if (currentId !== null && shown === 'chat') {
    return (
      <Conversation
        key={currentId}
        userId={userId}
        channelId={channelId}
        chatId={currentId}
        isNew={currentId === createdId}
        onMissing={replaceMissingChat}
        onOpenCitation={onOpenCitation}
        onAddStarters={onAddStarters}
        onPropose={onPropose}
        limitAction={limitAction}
        tail={tail}
      />
    )
  }
  return <NoChat {...props} />
}

function NoChat({ userId, channelId, selection, onPropose, limitAction }: Props) {
  const { currentId, isCreating, create } = selection
  const isLoading = selection.isLoading || currentId !== null
  const isArchived = useIsArchived(channelId)
  const isNewlyArchived = useIsNewly(isArchived)
  const setupProblem = useSetupProblem(channelId, undefined)
  useChannelWatch(channelId)
  const { data: left } = useQuery(quotaLeftQuery(channelId))
  const isExhausted = left && left.left === 0
  const isNewlyExhausted = useIsNewly(left === undefined ? undefined : isExhausted === true)
  return (
    <>
      <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto" aria-busy={isLoading}>
        {isLoading ? (
          <Loading label="Loading your chats…" />
        ) : (
          <EmptyState
            icon={MessageSquareOff}
            action={
              isArchived || isExhausted ? undefined : (
                <Button variant="primary" busy={isCreating} onClick={create}>
                  <Plus aria-hidden="true" className="size-4" />
                  New chat
                </Button>
              )
            }
          >
            No chat selected
          </EmptyState>
        )}
      </div>
      <ChatFooter channelId={channelId}>
        {isArchived ? (
          <ArchivedNote isNew={isNewlyArchived} />
        ) : isExhausted ? (
          <LimitNote isNew={isNewlyExhausted} left={left} action={limitAction} />
        ) : (
          <>
            <SetupNote channelId={channelId} problem={setupProblem} onPropose={onPropose} />
            <MessageInput
              userId={userId}
              chatId={null}
              pendingText=""
              takesFocus={false}
              isLoading={false}
              isBusy={false}
              isStopping={false}
              canStop={false}
              onSend={() => Promise.resolve(true)}
              onStop={noop}
            />
          </>
        )}
      </ChatFooter>
    </>
  )
}
