import { authApi, type TrustedBrowser } from '@lyceum/contract/auth'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/member.ts'
import { banner } from '#ui/banner.ts'
import { toast } from '#ui/toast.ts'
import { useSessionActions } from '../SessionProvider.tsx'
import { ownBrowsersKey } from './queries.ts'

interface RevokeOptions<Target> {
  revoke: (target: Target) => Promise<unknown>
  onSuccess: (target: Target) => void
  failed: string
}

/** Ends sessions or forgets trusted browsers, then reloads both lists, even after a failure. */
function useRevoke<Target>({ revoke, onSuccess, failed }: RevokeOptions<Target>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: revoke,
    onSuccess: (_, target) => onSuccess(target),
    onError: (error) => banner.error(messageOf(error, failed)),
    onSettled: () => client.invalidateQueries({ queryKey: ownBrowsersKey }),
  })
}

export function useEndSession() {
  return useRevoke({
    revoke: (id: string) => call(authApi.endSession, { params: { id } }),
    onSuccess: () => banner.success(texts.profile.endSession.done),
    failed: texts.profile.endSession.failed,
  })
}

export function useEndOtherSessions() {
  return useRevoke<void>({
    revoke: () => call(authApi.endOtherSessions, {}),
    onSuccess: () => banner.success(texts.profile.endOthers.done),
    failed: texts.profile.endOthers.failed,
  })
}

export function useForgetBrowser() {
  const session = useSessionActions()
  const outcome = texts.profile.forgetBrowser
  return useRevoke({
    revoke: ({ _id }: TrustedBrowser) => call(authApi.forgetBrowser, { params: { id: _id } }),
    onSuccess: ({ current }) => {
      if (!current) return banner.success(outcome.done)
      // This session has ended with its browser. Use a toast, because the user leaves this page.
      toast.success(outcome.done)
      session.logout()
    },
    failed: outcome.failed,
  })
}
