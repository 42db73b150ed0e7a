import type { ListedMember } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, ShieldCheck, ShieldMinus, ShieldPlus, UserMinus } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { texts } from '#texts/admin.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Menu } from '#ui/Menu.tsx'
import { QuestionSubject } from '#ui/QuestionSubject.tsx'
import { Status } from '#ui/Status.tsx'
import { memberPageQuery } from '../queries.ts'
import { MemberOrigin } from './MemberOrigin.tsx'
import { UserList, useUserListView } from './UserList.tsx'
import { useMemberAction } from './use-member-action.ts'

interface ActionsProps {
  channelId: string
  member: ListedMember
  onRemove: (trigger: HTMLElement) => void
}

function Actions({ channelId, member, onRemove }: ActionsProps) {
  const { mutate, isPending } = useMemberAction(channelId, member._id)
  const isAdmin = member.isAdmin === true
  const roleLabel = isAdmin ? 'Remove as channel administrator' : 'Make channel administrator'
  const roleIcon = isAdmin ? ShieldMinus : ShieldPlus
  function changeRole(): void {
    if (!isPending) mutate(isAdmin ? 'demote' : 'promote')
  }
  return (
    <Menu
      icon={Ellipsis}
      label={`Actions for ${member.name}`}
      tip="Actions"
      items={[
        { label: roleLabel, icon: roleIcon, onChoose: changeRole },
        {
          label: 'Remove from channel',
          icon: UserMinus,
          tone: 'danger',
          startsGroup: true,
          ...(member.groups.length === 0
            ? {}
            : { disabledReason: texts.groups.givesAccess(member.groups, member.isByHand) }),
          // The menu has returned the focus to its button.
          onChoose: () =>
            !isPending && document.activeElement instanceof HTMLElement && onRemove(document.activeElement),
        },
      ]}
    />
  )
}

interface RemoveProps {
  channelId: string
  member: ListedMember
  onClose: () => void
  /** The button that opened the dialog. */
  trigger: HTMLElement
  panel: RefObject<HTMLElement | null>
}

function findSearchField(panel: RefObject<HTMLElement | null>): HTMLElement | null {
  return panel.current?.querySelector('input') ?? null
}

/** The button of the next member, or else of the previous one. */
function findNeighbor(trigger: HTMLElement): HTMLElement | null {
  const row = trigger.closest('li')
  const neighbor = row?.nextElementSibling ?? row?.previousElementSibling
  return neighbor?.querySelector('button') ?? null
}

function RemoveMemberDialog({ channelId, member, onClose, trigger, panel }: RemoveProps) {
  const { issuers } = member
  const isRemoved = useRef(false)
  // Find it while the row is there.
  const [neighbor] = useState(() => findNeighbor(trigger))
  const { mutate, isPending } = useMemberAction(channelId, member._id)
  function findFocusTarget(): HTMLElement | null {
    if (!isRemoved.current) return trigger
    // Not the search field, which opens the on-screen keyboard, unless no member is left.
    return neighbor?.isConnected === true ? neighbor : findSearchField(panel)
  }
  return (
    <ConfirmDialog
      open
      title="Remove from this channel?"
      confirmLabel="Remove"
      busy={isPending}
      onConfirm={() =>
        mutate('revoke', {
          onSuccess: () => {
            isRemoved.current = true
          },
          onSettled: onClose,
        })
      }
      onCancel={onClose}
      finalFocus={findFocusTarget}
    >
      <QuestionSubject name={member.name} />
      <p className="mt-2">
        They will lose access to this channel and to their chats in it, and running replies will stop. Their
        chats are kept and return if access is restored.
      </p>
      {issuers.length > 0 && (
        <p className="wrap-anywhere mt-2">
          The access comes from {issuers.map(({ name }) => name).join(', ')} and will return at their next
          sign-in, as long as a rule there names this channel.
        </p>
      )}
    </ConfirmDialog>
  )
}

interface PendingRemoval {
  member: ListedMember
  trigger: HTMLElement
}

/** Lists the members of a channel and lets an administrator manage them. */
export function ChannelMembers({ channelId }: { channelId: string }) {
  const view = useUserListView()
  const list = useQuery(memberPageQuery(channelId, view.page, view.search))
  const [removal, setRemoval] = useState<PendingRemoval | null>(null)
  const panel = useRef<HTMLDivElement>(null)
  return (
    <div ref={panel}>
      <UserList
        label="Members"
        searchLabel="Search members"
        list={list}
        view={view}
        errorText="The members could not be loaded."
        emptyText="This channel has no members yet."
        renderBadge={(member) => (
          <>
            <MemberOrigin member={member} />
            {member.isAdmin === true && (
              <Status tone="info" icon={ShieldCheck} className="mt-1">
                Channel administrator
              </Status>
            )}
          </>
        )}
        renderActions={(member) => (
          <Actions
            channelId={channelId}
            member={member}
            onRemove={(trigger) => setRemoval({ member, trigger })}
          />
        )}
      />
      <p className="mt-3 text-muted text-xs">
        Channel administrators can set the wallpaper of this channel. They get no access to the admin area.
      </p>
      {removal !== null && (
        <RemoveMemberDialog
          channelId={channelId}
          member={removal.member}
          onClose={() => setRemoval(null)}
          trigger={removal.trigger}
          panel={panel}
        />
      )}
    </div>
  )
}
