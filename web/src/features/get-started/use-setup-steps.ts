import type { SetupProgress } from '@lyceum/contract/get-started'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCan } from '#features/auth/use-can.ts'
import { localStore } from '#lib/storage.ts'
import { setupProgressQuery } from './queries.ts'

interface SetupSteps {
  isLoading: boolean
  /** Empty when the user may do none of them, all are done, or the user has dismissed them. */
  steps: SetupProgress['steps']
  dismiss: () => void
}

/** The steps of the "Get started" panel. The dismissal is stored in the browser, for each user. */
export function useSetupSteps(userId: string | undefined): SetupSteps {
  const key = `getStartedDismissed:${userId}`
  const [dismissedKey, setDismissedKey] = useState<string | null>(null)
  const isDismissed = dismissedKey === key || localStore.read(key) !== null
  const canSeeSteps = useCan('canAccessAdminPanel')
  const { data = [], isLoading } = useQuery({
    ...setupProgressQuery(),
    enabled: canSeeSteps && !isDismissed,
  })
  const isHidden = isDismissed || !canSeeSteps || data.every(({ isDone }) => isDone)
  return {
    isLoading,
    steps: isHidden ? [] : data,
    dismiss() {
      localStore.write(key, 'yes')
      setDismissedKey(key)
    },
  }
}
