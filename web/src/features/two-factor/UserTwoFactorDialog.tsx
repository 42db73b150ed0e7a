import type { User } from '@lyceum/contract/auth'
import type { UserTwoFactor } from '@lyceum/contract/two-factor'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { LogOut, ShieldAlert } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { mailDeliveryQuery } from '#features/auth/queries.ts'
import { useIsSystemAdmin, usePermissionCheck } from '#features/auth/use-can.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DiscardDialog } from '#ui/DiscardDialog.tsx'
import { SaveButton } from '#ui/SaveButton.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { UserLine } from '#ui/UserLine.tsx'
import { useUnsavedInput } from '#ui/use-unsaved-input.ts'
import { useEndSessions, useForceReverification, useSaveOverride } from './mutations.ts'
import { userTwoFactorQuery } from './queries.ts'
import { noMailServerText } from './two-factor-labels.ts'
import { UserTwoFactorForm } from './UserTwoFactorForm.tsx'

interface SettingsProps {
  query: UseQueryResult<UserTwoFactor>
  formId: string
  save: ReturnType<typeof useSaveOverride>
  onChange: (isChanged: boolean) => void
}

function Settings({ query, formId, save, onChange }: SettingsProps) {
  const { data, error, isFetchedAfterMount, refetch } = query
  // The user's page has the same query, and the form must not start from its older values.
  if (data !== undefined && isFetchedAfterMount)
    return <UserTwoFactorForm id={formId} save={save} settings={data} onChange={onChange} />
  if (error === null) return <Skeleton className="h-60 rounded-card" />
  return (
    <div className="flex flex-col items-start gap-3">
      <Banner tone="danger">{messageOf(error, texts.twoFactor.loadFailed)}</Banner>
      <Button onClick={() => void refetch()}>Try again</Button>
    </div>
  )
}

interface ActionProps {
  icon: ReactNode
  label: string
  text: string
  /** The reason why the action is not available. */
  refusal: string | null
  onPress: () => void
}

function Action({ icon, label, text, refusal, onPress }: ActionProps) {
  return (
    <div className="flex flex-col gap-3 sm:flex-row sm:items-center sm:justify-between">
      <p className="text-muted text-sm">
        {text}
        {refusal !== null && <span className="mt-1 block text-ink">{refusal}</span>}
      </p>
      <Button
        className="shrink-0"
        aria-disabled={refusal !== null}
        onClick={() => (refusal === null ? onPress() : banner.error(refusal))}
      >
        {icon}
        {label}
      </Button>
    </div>
  )
}

interface Props {
  user: User
  onClose: () => void
}

/** A user's two-factor settings, and the actions that revoke trusted browsers and sessions. */
export function UserTwoFactorDialog({ user, onClose }: Props) {
  const can = usePermissionCheck()
  const isSystemAdmin = useIsSystemAdmin()
  const systemAdminRefusal = user.isSystemAdmin && !isSystemAdmin ? texts.users.systemAdminOnly : null
  const [confirming, setConfirming] = useState<'force' | 'sign-out' | null>(null)
  const canSendEmail = useQuery(mailDeliveryQuery()).data
  const formId = useId()
  const [isChanged, setIsChanged] = useState(false)
  const settings = useQuery(userTwoFactorQuery(user._id))
  const save = useSaveOverride(user._id)
  const force = useForceReverification(user._id)
  const endSessions = useEndSessions(user._id)
  const unsaved = useUnsavedInput({ isChanged, isSaving: save.isPending, onClose })
  const closeAfterwards = { onSettled: (): void => setConfirming(null) }
  return (
    <Dialog
      open
      onClose={unsaved.close}
      title="Manage 2FA Settings"
      description={<UserLine user={user} />}
      isLoading={!settings.isFetchedAfterMount}
      footer={
        <>
          <Button onClick={unsaved.close}>Close</Button>
          <SaveButton form={formId} isChanged={isChanged} busy={save.isPending}>
            Save settings
          </SaveButton>
        </>
      }
    >
      <Settings query={settings} formId={formId} save={save} onChange={setIsChanged} />
      <section aria-label="Actions" className="mt-6 flex flex-col gap-4 border-hairline border-t pt-5">
        <Action
          icon={<ShieldAlert aria-hidden="true" className="size-4" />}
          label="Force re-verification"
          text="Signs the user out and forgets trusted browsers. The next sign-in then requires a code, even if 2FA is off."
          refusal={
            can('canForce2FAReVerification') ? systemAdminRefusal : texts.permissions.forceReverification
          }
          onPress={() => setConfirming('force')}
        />
        <Action
          icon={<LogOut aria-hidden="true" className="size-4" />}
          label="Sign out everywhere"
          text="Ends every session. Trusted browsers stay trusted."
          refusal={can('canEditUsers') ? systemAdminRefusal : texts.permissions.editUsers}
          onPress={() => setConfirming('sign-out')}
        />
      </section>
      <ConfirmDialog
        open={confirming === 'force'}
        title="Force 2FA re-verification?"
        confirmLabel="Force re-verification"
        busy={force.isPending}
        onConfirm={() => force.mutate(undefined, closeAfterwards)}
        onCancel={() => setConfirming(null)}
      >
        <p>
          {user.name} will be signed out everywhere. At the next sign-in in each browser they must enter a
          code from an email, regardless of their settings.
        </p>
        {canSendEmail === false && (
          <div className="mt-4">
            <Banner tone="warning">{noMailServerText}</Banner>
          </div>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        open={confirming === 'sign-out'}
        title="Sign out everywhere?"
        confirmLabel="Sign out everywhere"
        busy={endSessions.isPending}
        onConfirm={() => endSessions.mutate(undefined, closeAfterwards)}
        onCancel={() => setConfirming(null)}
      >
        <p>This ends every session of {user.name}. Running replies continue and are saved.</p>
      </ConfirmDialog>
      <DiscardDialog {...unsaved.question}>The settings have not been saved.</DiscardDialog>
    </Dialog>
  )
}
