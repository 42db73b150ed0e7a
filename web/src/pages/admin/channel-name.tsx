import { useCan } from '#features/auth/use-can.ts'
import { cx } from '#ui/cx.ts'
import { TextLink } from '#ui/TextLink.tsx'

interface NameProps {
  /** Undefined if the viewer cannot see the channel. */
  name: string | undefined
  className?: string | undefined
}

/** Links to the channel in the list of those who manage channels. */
export function ChannelName({ name, className }: NameProps) {
  const canManageChannels = useCan('canManageChannels')
  const style = cx('wrap-anywhere text-sm', className)
  if (name === undefined || !canManageChannels)
    return (
      <span className={style}>
        <bdi>{name ?? 'Another channel'}</bdi>
      </span>
    )
  return (
    <TextLink to={`/admin/channels?search=${encodeURIComponent(name)}`} className={style}>
      <bdi>{name}</bdi>
    </TextLink>
  )
}
