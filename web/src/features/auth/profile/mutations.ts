import { authApi, type TrustedBrowser } from '@lyceum/contract/auth'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/member.ts'
import { banner } from '#ui/banner.ts'
import { toast } from '#ui/toast.ts'
import { useSessionActions } from '../SessionProvider.tsx'
import { ownEntryKey } from './queries.ts'

interface Ending<Target> {
  end: (target: Target) => Promise<unknown>
  done: (target: Target) => void
  failed: string
}

/** Ends some of one's own entry and shows what is left, also when somebody was first. */
function useEnding<Target>({ end, done, failed }: Ending<Target>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: end,
    onSuccess: (_, target) => done(target),
    onError: (error) => banner.error(messageOf(error, failed)),
    onSettled: () => client.invalidateQueries({ queryKey: ownEntryKey }),
  })
}

export function useEndSession() {
  return useEnding({
    end: (id: string) => call(authApi.endSession, { params: { id } }),
    done: () => banner.success(texts.profile.endSession.done),
    failed: texts.profile.endSession.failed,
  })
}

export function useEndOtherSessions() {
  return useEnding<void>({
    end: () => call(authApi.endOtherSessions, {}),
    done: () => banner.success(texts.profile.endOthers.done),
    failed: texts.profile.endOthers.failed,
  })
}

export function useForgetBrowser() {
  const session = useSessionActions()
  const words = texts.profile.forgetBrowser
  return useEnding({
    end: ({ _id }: TrustedBrowser) => call(authApi.forgetBrowser, { params: { id: _id } }),
    done: ({ current }) => {
      if (!current) return banner.success(words.done)
      // Its sessions have ended with it, this one among them. A toast outlives this screen.
      toast.success(words.done)
      session.logout()
    },
    failed: words.failed,
  })
}
