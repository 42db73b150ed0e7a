import { type Permission, type Permissions, permissionNames } from '@lyceum/contract/permissions'
import { Fragment } from 'react'
import { groupPath } from '#lib/group-paths.ts'
import { TextLink } from '#ui/TextLink.tsx'
import { permissionLabels } from './permission-groups.ts'

interface Group {
  _id: string
  name: string
}

/** The groups that give each permission to an administrator, in addition to those set for them. */
export type GivenPermissions = ReadonlyMap<Permission, readonly Group[]>

function GivingGroups({ groups }: { groups: readonly Group[] }) {
  return (
    <>
      {' (from '}
      {groups.map(({ _id, name }, index) => (
        <Fragment key={_id}>
          {index > 0 && ', '}
          <TextLink to={groupPath(_id)} className="wrap-anywhere">
            <bdi>{name}</bdi>
          </TextLink>
        </Fragment>
      ))}
      )
    </>
  )
}

interface Props {
  own: Permissions
  given: GivenPermissions
}

/** Which permissions an administrator has, from which group if not on their own, and which are missing. */
export function PermissionSummary({ own, given }: Props) {
  const labels = [...permissionLabels]
  const has = labels.filter(([permission]) => own[permission] || given.has(permission))
  const missing = labels.filter(([permission]) => !own[permission] && !given.has(permission))
  return (
    <div className="text-sm">
      <p>
        {has.length} of {permissionNames.length} permissions
      </p>
      {has.length > 0 && (
        <p className="mt-1">
          {'Has: '}
          {has.map(([permission, label], index) => (
            <Fragment key={permission}>
              {index > 0 && ' · '}
              {label}
              {!own[permission] && <GivingGroups groups={given.get(permission) ?? []} />}
            </Fragment>
          ))}
        </p>
      )}
      {missing.length > 0 && (
        <p className="mt-1 text-muted">Missing: {missing.map(([, label]) => label).join(' · ')}</p>
      )}
    </div>
  )
}
