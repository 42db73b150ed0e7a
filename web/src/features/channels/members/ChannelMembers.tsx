import type { ChannelMember } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { ShieldCheck, ShieldMinus, ShieldPlus, UserMinus } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Status } from '#ui/Status.tsx'
import { memberPageQuery } from '../queries.ts'
import { UserList, useUserPage } from './UserList.tsx'
import { useMemberAction } from './use-member-action.ts'

interface ActionsProps {
  channelId: string
  member: ChannelMember
  onRemove: (trigger: HTMLElement) => void
}

function Actions({ channelId, member, onRemove }: ActionsProps) {
  const { mutate, isPending } = useMemberAction(channelId, member._id)
  const isAdmin = member.isAdmin === true
  return (
    <>
      <IconButton
        icon={isAdmin ? ShieldMinus : ShieldPlus}
        label={isAdmin ? 'End as channel administrator' : 'Make channel administrator'}
        labelSide="end"
        aria-description={member.name}
        aria-disabled={isPending}
        onClick={() => !isPending && mutate(isAdmin ? 'demote' : 'promote')}
      />
      <IconButton
        icon={UserMinus}
        label="Remove from channel"
        labelSide="end"
        tone="danger"
        aria-description={member.name}
        aria-disabled={isPending}
        onClick={({ currentTarget }) => !isPending && onRemove(currentTarget)}
      />
    </>
  )
}

interface RemoveProps {
  channelId: string
  member: ChannelMember
  onClose: () => void
  /** What asked for it. */
  trigger: HTMLElement
  panel: RefObject<HTMLElement | null>
}

function searchOf(panel: RefObject<HTMLElement | null>): HTMLElement | null {
  return panel.current?.querySelector('input') ?? null
}

function RemoveMember({ channelId, member, onClose, trigger, panel }: RemoveProps) {
  const isConfirmed = useRef(false)
  const { mutate, isPending } = useMemberAction(channelId, member._id)
  return (
    <ConfirmDialog
      open
      title="Remove from this channel?"
      confirmLabel="Remove"
      busy={isPending}
      onConfirm={() => {
        isConfirmed.current = true
        mutate('revoke', { onSettled: onClose })
      }}
      onCancel={onClose}
      // Confirmed, the row is gone with its person: the search is the next thing at hand.
      finalFocus={() => (isConfirmed.current ? searchOf(panel) : trigger)}
    >
      <p dir="auto" className="wrap-anywhere line-clamp-3 text-start font-medium text-ink">
        {member.name}
      </p>
      <p className="mt-2">
        This person no longer reaches the channel and their chats there, and a reply that is being written for
        them stops. The chats are kept: they come back with the access.
      </p>
    </ConfirmDialog>
  )
}

interface Leaving {
  member: ChannelMember
  trigger: HTMLElement
}

/** Who is in a channel, and what may be changed about that. */
export function ChannelMembers({ channelId }: { channelId: string }) {
  const view = useUserPage()
  const list = useQuery(memberPageQuery(channelId, view.page, view.search))
  const [leaving, setLeaving] = useState<Leaving | null>(null)
  const panel = useRef<HTMLDivElement>(null)
  return (
    <div ref={panel}>
      <UserList
        label="Members"
        searchLabel="Search members"
        list={list}
        view={view}
        failed="The members could not be loaded."
        empty="Nobody is in this channel yet."
        mark={(member) =>
          member.isAdmin === true && (
            <Status tone="info" icon={ShieldCheck} className="mt-1">
              Channel administrator
            </Status>
          )
        }
        actions={(member) => (
          <Actions
            channelId={channelId}
            member={member}
            onRemove={(trigger) => setLeaving({ member, trigger })}
          />
        )}
      />
      <p className="mt-3 text-muted text-xs">
        A channel administrator sets the wallpaper of this channel. It gives no right in the administration.
      </p>
      {leaving !== null && (
        <RemoveMember
          channelId={channelId}
          member={leaving.member}
          onClose={() => setLeaving(null)}
          trigger={leaving.trigger}
          panel={panel}
        />
      )}
    </div>
  )
}
