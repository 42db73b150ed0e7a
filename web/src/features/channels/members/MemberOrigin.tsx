import type { ListedMember } from '@lyceum/contract/channels'
import { Fragment } from 'react'
import { groupPath } from '#lib/group-paths.ts'
import { TextLink } from '#ui/TextLink.tsx'

/** Where a member's access comes from. Nothing if they were only added manually, as most are. */
export function MemberOrigin({ member: { isByHand, groups, issuers } }: { member: ListedMember }) {
  if (groups.length === 0 && issuers.length === 0) return null
  const givers = [
    ...groups.map(({ _id, name }) => ({
      key: `group-${_id}`,
      content: (
        <TextLink to={groupPath(_id)}>
          <bdi>{name}</bdi>
        </TextLink>
      ),
    })),
    ...issuers.map(({ _id, name }) => ({ key: `issuer-${_id}`, content: <bdi>{name}</bdi> })),
  ]
  return (
    <p className="wrap-anywhere text-muted text-xs">
      {isByHand ? 'Added manually · From ' : 'From '}
      {givers.map(({ key, content }, index) => (
        <Fragment key={key}>
          {index > 0 && ', '}
          {content}
        </Fragment>
      ))}
    </p>
  )
}
