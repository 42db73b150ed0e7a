import type { ApiKeyScope } from '@lyceum/contract/api-keys'

/** What an API key can do. */
export const scopeLabels: Readonly<Record<ApiKeyScope, string>> = {
  chat: 'Ask questions in channels',
  documents: 'Search and read documents',
}

export function formatScopes(scopes: readonly ApiKeyScope[]): string {
  return scopes.map((scope) => scopeLabels[scope]).join(' · ')
}
