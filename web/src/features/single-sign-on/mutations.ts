import { type LdapInput, type LdapTest, ldapApi } from '@lyceum/contract/ldap'
import { type IssuerInput, type SingleSignOn, singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { ldapKey, useNoteTest } from './failed-test.ts'
import { ldapQuery, signInMethodsQuery, singleSignOnQuery } from './queries.ts'

function useStoreResult() {
  const client = useQueryClient()
  return (data: SingleSignOn) => client.setQueryData(singleSignOnQuery().queryKey, data)
}

/** Adds an issuer, or changes the one with this id. The form shows errors. */
export function useSaveIssuer(id: string | null) {
  const storeResult = useStoreResult()
  return useMutation({
    mutationFn({ clientSecret, ...input }: IssuerInput) {
      if (id === null) return call(singleSignOnApi.add, { body: { ...input, clientSecret } })
      const body = clientSecret === '' ? input : { ...input, clientSecret }
      return call(singleSignOnApi.change, { params: { issuerId: id }, body })
    },
    onSuccess(result) {
      storeResult(result)
      banner.success(id === null ? texts.singleSignOn.add.done : texts.singleSignOn.change.done)
    },
    // The input contains the secret.
    gcTime: 0,
  })
}

export function useRemoveIssuer() {
  const storeResult = useStoreResult()
  const noteTest = useNoteTest()
  return useMutation({
    mutationFn: (issuerId: string) => call(singleSignOnApi.remove, { params: { issuerId } }),
    onSuccess(result, issuerId) {
      noteTest(issuerId, null)
      storeResult(result)
      banner.success(texts.singleSignOn.remove.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.singleSignOn.remove.failed)),
  })
}

/** With the ID of a stored issuer, its row remembers a failure. */
export function useTestIssuer(issuerId: string | null) {
  const noteTest = useNoteTest()
  return useMutation({
    mutationFn: (issuer: string) => call(singleSignOnApi.test, { body: { issuer } }),
    onSuccess: (result) => issuerId !== null && noteTest(issuerId, result),
  })
}

/** The form shows errors. */
export function useSaveLdap(isNew: boolean) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: LdapInput) => call(ldapApi.save, { body }),
    onSuccess(result) {
      client.setQueryData(ldapQuery().queryKey, result)
      banner.success(isNew ? texts.ldap.add.done : texts.ldap.change.done)
    },
    // The input contains the password.
    gcTime: 0,
  })
}

export function useRemoveLdap() {
  const client = useQueryClient()
  const noteTest = useNoteTest()
  return useMutation({
    mutationFn: () => call(ldapApi.remove, {}),
    onSuccess(result) {
      noteTest(ldapKey, null)
      client.setQueryData(ldapQuery().queryKey, result)
      banner.success(texts.ldap.remove.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.ldap.remove.failed)),
  })
}

/** If the stored directory is tested, its row remembers a failure. */
export function useTestLdap({ isStored }: { isStored: boolean }) {
  const noteTest = useNoteTest()
  return useMutation({
    mutationFn: (body: LdapTest) => call(ldapApi.test, { body }),
    onSuccess: (result) => isStored && noteTest(ldapKey, result),
    // The input contains the password.
    gcTime: 0,
  })
}

export function useSetPasswordSignIn() {
  const storeResult = useStoreResult()
  return useMutation({
    mutationFn: (isOn: boolean) => call(singleSignOnApi.setPasswordSignIn, { body: { isOn } }),
    onSuccess(result) {
      storeResult(result)
      banner.success(texts.singleSignOn.password.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.singleSignOn.password.failed)),
  })
}

export function useConnectUser(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { issuerId: string; subject: string }) =>
      call(singleSignOnApi.connectUser, { params: { userId }, body }),
    onSuccess(result) {
      client.setQueryData(signInMethodsQuery(userId).queryKey, result)
      banner.success(texts.singleSignOn.connect.done)
    },
  })
}

export function useDisconnectUser(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (identityId: string) =>
      call(singleSignOnApi.disconnectUser, { params: { userId, identityId } }),
    onSuccess(result) {
      client.setQueryData(signInMethodsQuery(userId).queryKey, result)
      banner.success(texts.singleSignOn.disconnect.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.singleSignOn.disconnect.failed)),
  })
}
