import { type ApiKeyInput, apiKeysApi } from '@lyceum/contract/api-keys'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/member.ts'
import { banner } from '#ui/banner.ts'
import { apiKeysKey, type KeyOwner } from './queries.ts'

/** Creates a key. The form shows errors. */
export function useCreateApiKey(owner: KeyOwner) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ApiKeyInput) =>
      owner === null
        ? call(apiKeysApi.create, { body })
        : call(apiKeysApi.createForUser, { params: { userId: owner._id }, body }),
    // Reload after a failure too, because the key may exist although its reply was lost.
    onSettled: () => void client.invalidateQueries({ queryKey: apiKeysKey }),
    // The result contains the key.
    gcTime: 0,
  })
}

export function useRevokeApiKey(owner: KeyOwner) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      owner === null
        ? call(apiKeysApi.revoke, { params: { id } })
        : call(apiKeysApi.revokeOfUser, { params: { userId: owner._id, id } }),
    onSuccess: () => banner.success(texts.apiKeys.revoke.done),
    onError: (error) => banner.error(messageOf(error, texts.apiKeys.revoke.failed)),
    // Reload after a failure too, because the key may have been revoked elsewhere.
    onSettled: () => client.invalidateQueries({ queryKey: apiKeysKey }),
  })
}
