import type { UserAccess } from '@lyceum/contract/groups'
import { Fragment } from 'react'
import { groupPath } from '#lib/group-paths.ts'
import { TextLink } from '#ui/TextLink.tsx'

/** Where a user's access to a channel comes from. Nothing if it was only given manually, as it usually is. */
export function AccessOrigin({ channel }: { channel: UserAccess['channels'][number] }) {
  const { isByHand, groups, issuers } = channel
  if (groups.length === 0 && issuers.length === 0) return null
  const parts = [
    ...(isByHand ? [{ key: 'hand', content: 'Added manually' }] : []),
    ...groups.map(({ _id, name }) => ({
      key: `group-${_id}`,
      content: (
        <>
          Group{' '}
          <TextLink to={groupPath(_id)}>
            <bdi>{name}</bdi>
          </TextLink>
        </>
      ),
    })),
    ...issuers.map(({ _id, name }) => ({ key: `issuer-${_id}`, content: `From ${name}` })),
  ]
  return (
    <span className="wrap-anywhere text-muted text-xs">
      {parts.map(({ key, content }, index) => (
        <Fragment key={key}>
          {index > 0 && ' · '}
          {content}
        </Fragment>
      ))}
    </span>
  )
}
