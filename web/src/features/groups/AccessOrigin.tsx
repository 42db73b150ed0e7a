import type { UserAccess } from '@lyceum/contract/groups'
import { Fragment } from 'react'
import { groupPath } from '#lib/group-paths.ts'
import { TextLink } from '#ui/TextLink.tsx'

type ChannelOfUser = UserAccess['channels'][number]

/** Whether anything but an administrator gave the access. */
export function hasOrigin({ groups, issuers }: ChannelOfUser): boolean {
  return groups.length > 0 || issuers.length > 0
}

/** Where a user's access to a channel comes from. Nothing if it was only given manually, as it usually is. */
export function AccessOrigin({ channel }: { channel: ChannelOfUser }) {
  if (!hasOrigin(channel)) return null
  const { isByHand, groups, issuers } = channel
  const parts = [
    ...(isByHand ? [{ key: 'hand', content: 'Added manually' }] : []),
    ...groups.map(({ _id, name }) => ({
      key: `group-${_id}`,
      content: (
        <span className="inline-flex max-w-full items-baseline gap-1 align-bottom">
          <span className="shrink-0">{'Group '}</span>
          <TextLink to={groupPath(_id)} title={name} className="-mb-1 truncate pb-1">
            <bdi>{name}</bdi>
          </TextLink>
        </span>
      ),
    })),
    ...issuers.map(({ _id, name }) => ({ key: `issuer-${_id}`, content: `From ${name}` })),
  ]
  return (
    <span className="wrap-anywhere text-muted text-xs max-sm:block sm:max-w-3/5 sm:shrink-0 sm:text-end">
      {parts.map(({ key, content }, index) => (
        <Fragment key={key}>
          {index > 0 && ' · '}
          {content}
        </Fragment>
      ))}
    </span>
  )
}
