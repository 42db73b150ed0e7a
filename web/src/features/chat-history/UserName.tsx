import type { HistoryItem } from '@lyceum/contract/chat-history'
import { stripInvisible } from '@lyceum/contract/invisible-text'

/** A user's name and email. Deleted users have no email. */
export function UserName({ user: { name, email } }: Pick<HistoryItem, 'user'>) {
  return (
    <span className="flex min-w-0 flex-col items-start">
      <bdi className="wrap-anywhere line-clamp-2">{stripInvisible(name)}</bdi>
      {email !== '' && (
        <span
          title={email}
          className="font-normal text-muted text-xs max-sm:wrap-anywhere sm:max-w-40 sm:truncate xl:max-w-64"
        >
          {email}
        </span>
      )}
    </span>
  )
}
