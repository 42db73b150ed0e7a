import { connectedProgramsApi } from '@lyceum/contract/connected-programs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/member.ts'
import { banner } from '#ui/banner.ts'
import { connectedProgramsKey, type ProgramOwner } from './queries.ts'

export function useDisconnectProgram(owner: ProgramOwner) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      owner === null
        ? call(connectedProgramsApi.revoke, { params: { id } })
        : call(connectedProgramsApi.revokeOfUser, { params: { userId: owner._id, id } }),
    onSuccess: () => banner.success(texts.connectedPrograms.disconnect.done),
    onError: (error) => banner.error(messageOf(error, texts.connectedPrograms.disconnect.failed)),
    // Reload after a failure too, because the program may have been disconnected elsewhere.
    onSettled: () => client.invalidateQueries({ queryKey: connectedProgramsKey }),
  })
}
