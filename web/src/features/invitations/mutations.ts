import {
  type Invitation,
  type InvitationInput,
  type InvitationsInput,
  invitationsApi,
} from '@lyceum/contract/invitations'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { invitationsKey } from './queries.ts'

function useInvalidateList() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: invitationsKey })
}

/** Invitations with a link open a dialog, which shows the text itself. */
function showSuccess({ link }: Invitation, text: string): void {
  if (link === undefined) banner.success(text)
}

/** Invites a user. The form shows errors. */
export function useInvite() {
  const refresh = useInvalidateList()
  return useMutation({
    mutationFn: ({ input, key }: { input: InvitationInput; key: string }) =>
      call(invitationsApi.create, { body: input }, { idempotencyKey: key }),
    onSuccess: (invitation) => {
      showSuccess(invitation, texts.invitations.send.done)
      void refresh()
    },
  })
}

/** Invites several users. Each address has its own result. */
export function useInviteSeveral() {
  const refresh = useInvalidateList()
  return useMutation({
    mutationFn: ({ input, key }: { input: InvitationsInput; key: string }) =>
      call(invitationsApi.createSeveral, { body: input }, { idempotencyKey: key }),
    onSuccess: () => void refresh(),
  })
}

function toParams({ _id }: Invitation) {
  return { params: { id: _id } }
}

export function useResendInvitation() {
  const refresh = useInvalidateList()
  return useMutation({
    mutationFn: (invitation: Invitation) => call(invitationsApi.resend, toParams(invitation)),
    onSuccess: (invitation) => showSuccess(invitation, texts.invitations.resend.done),
    onError: (error) => banner.error(messageOf(error, texts.invitations.resend.failed)),
    // Reload after a refusal too, because the invitation may have been accepted.
    onSettled: refresh,
  })
}

/** Cancels a pending invitation, or deletes an expired one. */
export function useRemoveInvitation() {
  const refresh = useInvalidateList()
  function getTexts({ status }: Invitation) {
    return status === 'expired' ? texts.invitations.removeExpired : texts.invitations.cancel
  }
  return useMutation({
    mutationFn: (invitation: Invitation) => call(invitationsApi.remove, toParams(invitation)),
    onSuccess: (_, invitation) => banner.success(getTexts(invitation).done),
    onError: (error, invitation) => banner.error(messageOf(error, getTexts(invitation).failed)),
    onSettled: refresh,
  })
}
