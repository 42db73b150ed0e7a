import { type Invitation, type InvitationInput, invitationsApi } from '@lyceum/contract/invitations'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { notice } from '#ui/notice.ts'
import { messages } from '../../messages/admin.ts'

const useFreshList = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['invitations'] })
}

/** Where there is a link to pass on, the window that shows it says so. */
const tell = ({ link }: Invitation, words: string): void => {
  if (link === undefined) notice.success(words)
}

/** Invites a person. The form says what went wrong. */
export const useInvite = () => {
  const refresh = useFreshList()
  return useMutation({
    mutationFn: ({ input, key }: { input: InvitationInput; key: string }) =>
      call(invitationsApi.create, { body: input }, { idempotencyKey: key }),
    onSuccess: (invitation) => {
      tell(invitation, messages.invitations.send.done)
      void refresh()
    },
  })
}

const paramsOf = ({ _id }: Invitation) => ({ params: { id: _id } })

export const useResend = () => {
  const refresh = useFreshList()
  return useMutation({
    mutationFn: (invitation: Invitation) => call(invitationsApi.resend, paramsOf(invitation)),
    onSuccess: (invitation) => tell(invitation, messages.invitations.resend.done),
    onError: (error) => notice.error(messageOf(error, messages.invitations.resend.failed)),
    // Also after a refusal: it may have been accepted meanwhile.
    onSettled: refresh,
  })
}

/** Cancels a pending invitation, or deletes an expired one. */
export const useRemoveInvitation = () => {
  const refresh = useFreshList()
  const wordsFor = ({ status }: Invitation) =>
    status === 'expired' ? messages.invitations.removeExpired : messages.invitations.cancel
  return useMutation({
    mutationFn: (invitation: Invitation) => call(invitationsApi.remove, paramsOf(invitation)),
    onSuccess: (_, invitation) => notice.success(wordsFor(invitation).done),
    onError: (error, invitation) => notice.error(messageOf(error, wordsFor(invitation).failed)),
    onSettled: refresh,
  })
}
