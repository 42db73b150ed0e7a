import { settingsApi } from '@lyceum/contract/settings'
import { type IssuerInput, singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { createAdmin, type TestUser } from './factories.ts'
import { oidcClient } from './oidc-provider.ts'
import { createProviderVisitor, type ProviderVisitor } from './provider-visitor.ts'
import type { TestApp } from './test-app.ts'
import { createTestBrowser, type TestBrowser } from './test-browser.ts'

export const issuerId = 'acme'

/** Adds an issuer as a system administrator, who is returned. Users need no code. */
export async function addTestIssuer(
  app: TestApp,
  issuer: string,
  options: Partial<IssuerInput> = {},
): Promise<TestUser> {
  const admin = await createAdmin(app.deps, { isSystemAdmin: true })
  await app.call(settingsApi.update, {
    as: admin,
    body: { twoFactorExpiryDays: 30, twoFactorExpiryEnabled: false },
  })
  const body = { _id: issuerId, name: 'Acme', issuer, createsUsers: true, ...oidcClient, ...options }
  const { status, body: reply } = await app.call(singleSignOnApi.add, { as: admin, body })
  if (status !== 200) throw new Error(`the issuer was not added: ${reply.message}`)
  return admin
}

export interface SignInRun {
  login: string
  browser?: TestBrowser
  visitor?: ProviderVisitor
  door?: 'user' | 'admin'
}

/** Goes through the provider's own pages. */
export async function signInAtProvider(
  app: TestApp,
  { login, browser = createTestBrowser(), visitor = createProviderVisitor(), door = 'user' }: SignInRun,
) {
  const params = { issuerId }
  const { body } = await app.call(singleSignOnApi.start, { params, body: { door }, browser })
  const callback = await visitor.signIn(body.url, login)
  return app.call(singleSignOnApi.finish, { params, body: { query: callback.search }, browser })
}
