import type { User } from '@lyceum/contract/auth'
import type { UserDetail } from '@lyceum/contract/users'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { formatCount } from '#lib/format-count.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useRemoveUser } from './mutations.ts'
import { userQuery } from './queries.ts'
import { UserLine } from './UserLine.tsx'

function List({ title, entries }: { title: string; entries: readonly (string | false)[] }) {
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
      <List
        title="These go, and cannot be brought back:"
        entries={[
          'the account and its trusted browsers',
          sessionCount > 0 && formatCount(sessionCount, 'open session'),
          channels.length > 0 && `the access to ${formatCount(channels.length, 'channel')}`,
          chatCount > 0 && !chatsAreRetained && chats,
        ]}
      />
      <List
        title="These stay:"
        entries={[
          documentCount > 0 && `${formatCount(documentCount, 'uploaded document')}, as by ‘Deleted user’`,
          chatCount > 0 && chatsAreRetained && `${chats}, in the chat history`,
        ]}
      />
    </>
  )
}

interface Props {
  user: User
  onClose: () => void
}

/** Asks before a user goes, and says what goes along and what stays. */
export function DeleteUserDialog({ user, onClose }: Props) {
  const { data, error } = useQuery(userQuery(user._id))
  const remove = useRemoveUser(user)
  return (
    <ConfirmDialog
      open
      title="Delete this user?"
      confirmLabel="Delete user"
      busy={remove.isPending || (data === undefined && error === null)}
      onConfirm={() => remove.mutate(undefined, { onSettled: onClose })}
      onCancel={onClose}
    >
      <p className="font-medium text-ink">
        <UserLine user={user} />
      </p>
      {data !== undefined && <Consequences detail={data} />}
      {data === undefined && error === null && <Skeleton className="mt-3 h-36" />}
      {data === undefined && error !== null && (
        <p className="mt-2 text-danger">
          {messageOf(error, 'What belongs to this user could not be counted.')} Their account and sessions go;
          documents they uploaded stay as by ‘Deleted user’.
        </p>
      )}
    </ConfirmDialog>
  )
}
