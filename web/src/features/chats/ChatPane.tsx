import type { Citation } from '@lyceum/contract/chats'
import { MessageSquareOff, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { Conversation } from './Conversation.tsx'
import { ChatFoot } from './composer/ChatFoot.tsx'
import { MessageInput } from './composer/MessageInput.tsx'
import type { ChatSelection } from './sidebar/use-chat-selection.ts'

interface Props {
  userId: string
  channelId: string
  selection: ChatSelection
  onOpenCitation: (citation: Citation) => void
  /** List items that follow the last message. */
  tail?: ReactNode
}

function doNothing() {
  return undefined
}
function sendNothing() {
  return Promise.resolve(true)
}

/** The selected chat, or that there is none. */
export function ChatPane({ userId, channelId, selection, onOpenCitation, tail }: Props) {
  const { currentId, createdId, isSettling, isCreating, create, giveUp } = selection
  if (currentId !== null) {
    return (
      <Conversation
        key={currentId}
        userId={userId}
        channelId={channelId}
        chatId={currentId}
        isNew={currentId === createdId}
        onGone={giveUp}
        onOpenCitation={onOpenCitation}
        tail={tail}
      />
    )
  }
  return (
    <>
      <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto" aria-busy={isSettling}>
        {isSettling ? (
          <Loading label="Loading your chats…" />
        ) : (
          <EmptyState
            icon={MessageSquareOff}
            action={
              <Button variant="primary" busy={isCreating} onClick={create}>
                <Plus aria-hidden="true" className="size-4" />
                New chat
              </Button>
            }
          >
            No chat selected
          </EmptyState>
        )}
      </div>
      <ChatFoot channelId={channelId}>
        <MessageInput
          userId={userId}
          chatId={null}
          onTheirWay=""
          takesFocus={false}
          isLoading={false}
          isBusy={false}
          isStopping={false}
          canStop={false}
          onSend={sendNothing}
          onStop={doNothing}
        />
      </ChatFoot>
    </>
  )
}
