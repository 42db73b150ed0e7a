import { type RefObject, useRef } from 'react'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { UserLine } from '#ui/UserLine.tsx'
import { useSetActive } from './mutations.ts'
import type { ManagedUser } from './UserActions.tsx'

interface Props {
  user: ManagedUser
  /** Receives the focus after a change, which removes the button that opened the dialog. */
  heading?: RefObject<HTMLElement | null> | undefined
  onClose: () => void
}

/** Confirms deactivating a user or activating them again. */
export function ActivationDialog({ user, heading, onClose }: Props) {
  const setActive = useSetActive(user)
  const isChanged = useRef(false)
  const isActive = user.deactivatedAt === undefined
  function handleChanged(): void {
    isChanged.current = true
  }
  return (
    <ConfirmDialog
      open
      title={isActive ? 'Deactivate this user?' : 'Activate this user?'}
      confirmLabel={isActive ? 'Deactivate' : 'Activate'}
      tone={isActive ? 'danger' : 'primary'}
      busy={setActive.isPending}
      onConfirm={() => setActive.mutate(!isActive, { onSuccess: handleChanged, onSettled: onClose })}
      onCancel={onClose}
      finalFocus={() => (isChanged.current && heading?.current) || true}
    >
      <p className="font-medium text-ink">
        <UserLine user={user} />
      </p>
      <p className="mt-2">
        {isActive
          ? 'They are signed out and cannot sign in, and their API keys and connected programs stop working. Their channels, chats and documents stay.'
          : 'They can sign in again, with the channels and permissions they have. API keys and connected programs that have not expired work again.'}{' '}
        If a directory manages this user, it can change this again.
      </p>
    </ConfirmDialog>
  )
}
