import { ldapApi } from '@lyceum/contract/ldap'
import { singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

export function singleSignOnQuery() {
  return queryOptions({
    queryKey: ['single-sign-on'],
    queryFn: ({ signal }) => call(singleSignOnApi.get, {}, { signal }),
  })
}

export function ldapQuery() {
  return queryOptions({
    queryKey: ['ldap'],
    queryFn: ({ signal }) => call(ldapApi.get, {}, { signal }),
  })
}

/** How a user signs in. */
export function signInMethodsQuery(userId: string) {
  return queryOptions({
    queryKey: ['sign-in-methods', userId],
    queryFn: ({ signal }) => call(singleSignOnApi.methodsOfUser, { params: { userId } }, { signal }),
  })
}
