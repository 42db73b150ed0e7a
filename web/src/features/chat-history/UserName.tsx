import type { HistoryItem } from '@lyceum/contract/chat-history'
import { stripInvisible } from '@lyceum/contract/invisible-text'
import { cx } from '#ui/cx.ts'

interface Props extends Pick<HistoryItem, 'user'> {
  hidesEmailOnPhones?: boolean
}

/** A user's name and email. Deleted users have no email. */
export function UserName({ user: { name, email }, hidesEmailOnPhones = false }: Props) {
  return (
    <span className="flex min-w-0 flex-col items-start">
      <bdi className="wrap-anywhere line-clamp-2">{stripInvisible(name)}</bdi>
      {email !== '' && (
        <span
          title={email}
          className={cx(
            'font-normal text-muted text-xs max-sm:wrap-anywhere sm:max-w-28 sm:truncate md:max-w-40 xl:max-w-64',
            hidesEmailOnPhones && 'max-sm:hidden',
          )}
        >
          {email}
        </span>
      )}
    </span>
  )
}
