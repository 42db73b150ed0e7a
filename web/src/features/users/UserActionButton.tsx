import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { type ManagedUser, type UserAction, useUserActions, type Viewer } from './UserActions.tsx'

interface Props {
  user: ManagedUser
  viewer: Viewer
  action: UserAction
  /** Replaces the label of the menu item. */
  label?: string | undefined
  onAction: (action: UserAction) => void
}

/** A button for one action, or nothing if the viewer has no such action. A refused action says why. */
export function UserActionButton({ user, viewer, action, label, onAction }: Props) {
  const found = useUserActions(user, viewer).find((candidate) => candidate.action === action)
  if (found === undefined) return null
  const { icon: Icon, refusal } = found
  return (
    <Button
      size="small"
      className={action === 'delete' ? 'text-danger!' : undefined}
      title={refusal ?? undefined}
      aria-description={refusal ?? undefined}
      aria-disabled={refusal !== null}
      onClick={() => (refusal === null ? onAction(action) : banner.error(refusal))}
    >
      <Icon aria-hidden="true" className="size-4" />
      {label ?? found.label}
    </Button>
  )
}
