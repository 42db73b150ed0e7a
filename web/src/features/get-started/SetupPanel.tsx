import { GetStarted } from './GetStarted.tsx'
import { useSetupSteps } from './use-setup-steps.ts'

/** The steps that are left for this user; nothing while they load or when there are none. */
export function SetupPanel({ userId }: { userId: string | undefined }) {
  const { steps, dismiss } = useSetupSteps(userId)
  return steps.length === 0 ? null : <GetStarted steps={steps} onDismiss={dismiss} />
}
