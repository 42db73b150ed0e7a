import type { User } from '@lyceum/contract/auth'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { AddToGroupsDialog } from '#features/groups/AddToGroupsDialog.tsx'
import { UserGroups } from '#features/groups/UserGroups.tsx'
import { permissionLabels } from '#features/users/permission-groups.ts'
import { Button } from '#ui/Button.tsx'
import { Section } from './user-section.tsx'

/** The groups of a user, to which they can be added and from which they can be removed. */
export function UserGroupsSection({ user }: { user: User }) {
  const addButton = useRef<HTMLButtonElement>(null)
  const [isAdding, setIsAdding] = useState(false)
  return (
    <Section
      title="Groups"
      action={
        <Button ref={addButton} size="small" onClick={() => setIsAdding(true)}>
          <Plus aria-hidden="true" className="size-4" />
          Add to groups
        </Button>
      }
    >
      <UserGroups user={user} permissionLabels={permissionLabels} findAddButton={() => addButton.current} />
      {isAdding && <AddToGroupsDialog user={user} onClose={() => setIsAdding(false)} />}
    </Section>
  )
}
