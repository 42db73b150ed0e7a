import type { Group } from '@lyceum/contract/groups'

/** What it means for the members of a group that nobody loses access. */
export function describeNoLosses({ memberCount }: Pick<Group, 'memberCount'>): string {
  return memberCount === 0
    ? 'This group has no members, so nobody loses access.'
    : 'Nobody loses access. Everyone has it from elsewhere, too.'
}
