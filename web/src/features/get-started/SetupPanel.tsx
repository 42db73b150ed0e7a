import type { ReactNode } from 'react'
import { GetStarted } from './GetStarted.tsx'
import { useSetupSteps } from './use-setup-steps.ts'

interface Props {
  userId: string | undefined
  /** Shown when there are no steps. */
  children?: ReactNode
}

/** The steps that are left for this user; nothing while they load. */
export function SetupPanel({ userId, children }: Props) {
  const { isLoading, steps, dismiss } = useSetupSteps(userId)
  if (isLoading) return null
  return steps.length === 0 ? children : <GetStarted steps={steps} onDismiss={dismiss} />
}
