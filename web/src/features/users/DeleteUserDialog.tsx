import type { User } from '@lyceum/contract/auth'
import type { UserDetail } from '@lyceum/contract/users'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useRemoveUser } from './mutations.ts'
import { userQuery } from './queries.ts'
import { UserLine } from './UserLine.tsx'

const counted = (number: number, word: string): string =>
  `${number.toLocaleString()} ${word}${number === 1 ? '' : 's'}`

const Consequences = ({ detail }: { detail: UserDetail }) => {
  const chats = counted(detail.chatCount, 'chat')
  return (
    <>
      <p className="mt-2">These go, and cannot be brought back:</p>
      <ul className="mt-1 list-disc ps-5">
        <li>the account, its trusted browsers and {counted(detail.sessionCount, 'session')}</li>
        <li>the access to {counted(detail.channels.length, 'channel')}</li>
        {!detail.chatsAreRetained && <li>{chats}</li>}
      </ul>
      <p className="mt-2">These stay:</p>
      <ul className="mt-1 list-disc ps-5">
        <li>{counted(detail.documentCount, 'uploaded document')}, as by ‘Deleted user’</li>
        {detail.chatsAreRetained && <li>{chats}, in the chat history</li>}
      </ul>
    </>
  )
}

interface Props {
  user: User
  onClose: () => void
}

/** Asks before a user goes, and says what goes along and what stays. */
export const DeleteUserDialog = ({ user, onClose }: Props) => {
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
