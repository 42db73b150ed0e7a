import { type Invitation, type InvitationInput, invitationsApi } from '@lyceum/contract/invitations'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { invitationsKey } from './queries.ts'

function useFreshList() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: invitationsKey })
}

/** Where there is a link to pass on, the window that shows it says so. */
function tell({ link }: Invitation, words: string): void {
  if (link === undefined) banner.success(words)
}

/** Invites a person. The form says what went wrong. */
export function useInvite() {
  const refresh = useFreshList()
  return useMutation({
    mutationFn: ({ input, key }: { input: InvitationInput; key: string }) =>
      call(invitationsApi.create, { body: input }, { idempotencyKey: key }),
    onSuccess: (invitation) => {
      tell(invitation, texts.invitations.send.done)
      void refresh()
    },
  })
}

function paramsOf({ _id }: Invitation) {
  return { params: { id: _id } }
}

export function useResend() {
  const refresh = useFreshList()
  return useMutation({
    mutationFn: (invitation: Invitation) => call(invitationsApi.resend, paramsOf(invitation)),
    onSuccess: (invitation) => tell(invitation, texts.invitations.resend.done),
    onError: (error) => banner.error(messageOf(error, texts.invitations.resend.failed)),
    // Also after a refusal: it may have been accepted meanwhile.
    onSettled: refresh,
  })
}

/** Cancels a pending invitation, or deletes an expired one. */
export function useRemoveInvitation() {
  const refresh = useFreshList()
  function wordsFor({ status }: Invitation) {
    return status === 'expired' ? texts.invitations.removeExpired : texts.invitations.cancel
  }
  return useMutation({
    mutationFn: (invitation: Invitation) => call(invitationsApi.remove, paramsOf(invitation)),
    onSuccess: (_, invitation) => banner.success(wordsFor(invitation).done),
    onError: (error, invitation) => banner.error(messageOf(error, wordsFor(invitation).failed)),
    onSettled: refresh,
  })
}
