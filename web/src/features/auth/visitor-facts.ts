import { authApi } from '@lyceum/contract/auth'
import { useEffect, useState } from 'react'
import { isAborted } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { log } from '#lib/log.ts'

/** Milliseconds between checks, so that a page opened too early changes once the first user has registered. */
const setupCheckInterval = 5_000

// The pages for visitors load without the query library, which would be a third of their code.

/** Whether there is a user; null until it is known. A failure counts as set up, so that it hides no sign-in form. */
export function useIsSetUp(): boolean | null {
  const [isSetUp, setIsSetUp] = useState<boolean | null>(null)
  useEffect(() => {
    if (isSetUp) return
    const controller = new AbortController()
    function check(): void {
      if (document.hidden) return
      call(authApi.setupState, {}, { signal: controller.signal }).then(
        (state) => setIsSetUp(state.isSetUp),
        (error: unknown) => {
          if (isAborted(error)) return
          log('Could not check whether the installation is set up', error)
          setIsSetUp((known) => known ?? true)
        },
      )
    }
    if (isSetUp === null) check()
    const timer = setInterval(check, setupCheckInterval)
    return () => {
      controller.abort()
      clearInterval(timer)
    }
  }, [isSetUp])
  return isSetUp
}

/** Whether a mail server delivers codes and links; null until it is known. A failure counts as yes. */
export function useCanSendEmail(): boolean | null {
  const [canSendEmail, setCanSendEmail] = useState<boolean | null>(null)
  useEffect(() => {
    const controller = new AbortController()
    call(authApi.delivery, {}, { signal: controller.signal }).then(
      ({ delivery }) => setCanSendEmail(delivery === 'mail'),
      (error: unknown) => {
        if (isAborted(error)) return
        log('Could not check whether emails are delivered', error)
        setCanSendEmail(true)
      },
    )
    return () => controller.abort()
  }, [])
  return canSendEmail
}
