import type { User } from '@lyceum/contract/auth'
import type { UserDetail } from '@lyceum/contract/users'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { formatCount } from '#lib/format-count.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { UserLine } from '#ui/UserLine.tsx'
import { useRemoveUser } from './mutations.ts'
import { userQuery } from './queries.ts'

function ConsequenceList({ title, entries }: { title: string; entries: readonly (string | false)[] }) {
  const shown = entries.filter((entry) => entry !== false)
  if (shown.length === 0) return null
  return (
    <>
      <p className="mt-2">{title}</p>
      <ul className="mt-1 list-disc ps-5">
        {shown.map((entry) => (
          <li key={entry}>{entry}</li>
        ))}
      </ul>
    </>
  )
}

function Consequences({ detail }: { detail: UserDetail }) {
  const { chatCount, documentCount, sessionCount, channels, chatsAreRetained } = detail
  const chats = formatCount(chatCount, 'chat')
  return (
    <>
      <ConsequenceList
        title="This will permanently delete:"
        entries={[
          'the account and its trusted browsers',
          sessionCount > 0 && formatCount(sessionCount, 'open session'),
          channels.length > 0 && `access to ${formatCount(channels.length, 'channel')}`,
          chatCount > 0 && !chatsAreRetained && chats,
        ]}
      />
      <ConsequenceList
        title="This will be kept:"
        entries={[
          documentCount > 0 &&
            `${formatCount(documentCount, 'uploaded document')} (shown as uploaded by “Deleted user”)`,
          chatCount > 0 && chatsAreRetained && `${chats}, in the chat history`,
        ]}
      />
    </>
  )
}

interface Props {
  user: User
  onDeleted?: (() => void) | undefined
  onClose: () => void
}

/** Confirms deleting a user and lists what is deleted and what is kept. */
export function DeleteUserDialog({ user, onDeleted, onClose }: Props) {
  const { data, error } = useQuery(userQuery(user._id))
  const remove = useRemoveUser(user)
  return (
    <ConfirmDialog
      open
      title="Delete this user?"
      confirmLabel="Delete user"
      busy={remove.isPending || (data === undefined && error === null)}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => onDeleted?.(), onSettled: onClose })}
      onCancel={onClose}
    >
      <p className="font-medium text-ink">
        <UserLine user={user} />
      </p>
      {data !== undefined && <Consequences detail={data} />}
      {data === undefined && error === null && <Skeleton className="mt-3 h-36" />}
      {data === undefined && error !== null && (
        <p className="mt-2 text-danger">
          {messageOf(error, 'This user’s data could not be counted.')} Their account and sessions will be
          deleted. Documents they uploaded are kept and shown as uploaded by “Deleted user”.
        </p>
      )}
    </ConfirmDialog>
  )
}
