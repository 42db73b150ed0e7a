import type { HistoryItem } from '@lyceum/contract/chat-history'
import { stripInvisible } from '@lyceum/contract/invisible-text'
import { cx } from '#ui/cx.ts'
import { aboveRowLink } from '#ui/Table.tsx'

interface Props extends Pick<HistoryItem, 'user'> {
  /** In a row of chats the name has one line, phones hide the email, and the email is above the link of the row. */
  isInChatRow?: boolean
}

/** A user's name and email. Deleted users have no email. */
export function UserName({ user: { name, email }, isInChatRow = false }: Props) {
  return (
    <span className="flex min-w-0 flex-col items-start">
      <bdi className={cx('wrap-anywhere line-clamp-2', isInChatRow && 'sm:line-clamp-1')}>
        {stripInvisible(name)}
      </bdi>
      {email !== '' && (
        <span
          title={email}
          className={cx(
            'font-normal text-muted text-xs max-sm:wrap-anywhere sm:max-w-28 sm:truncate md:max-w-40 xl:max-w-64',
            isInChatRow && `max-sm:hidden ${aboveRowLink}`,
          )}
        >
          {email}
        </span>
      )}
    </span>
  )
}
