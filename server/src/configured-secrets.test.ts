import { describe, expect, it } from 'vitest'
import { listConfiguredSecrets } from './configured-secrets.ts'
import { readEnv } from './env.ts'

describe('listConfiguredSecrets', () => {
  it('lists keys, tokens and the passwords of URLs, also decoded', () => {
    const env = readEnv({
      OPENAI_API_KEY: 'sk-0f1e2d3c4b5a',
      ASSISTANTS_API_KEY: 'as-0f1e2d3c4b5a',
      METRICS_TOKEN: 'metrics-0f1e2d',
      SMTP_URL: 'smtp://lyceum:mail%2Fpassword@mail.example.org',
      DATABASE_URL: 'postgres://lyceum:database-password@db.example.org/lyceum',
      OPENSEARCH_URL: 'https://lyceum:search-password@search.example.org',
      DATABASE_DIRECT_URL: 'postgres://lyceum:direct-password@db.example.org:5433/lyceum',
    })
    expect(listConfiguredSecrets(env).toSorted()).toEqual([
      'as-0f1e2d3c4b5a',
      'database-password',
      'direct-password',
      'mail%2Fpassword',
      'mail/password',
      'metrics-0f1e2d',
      'search-password',
      'sk-0f1e2d3c4b5a',
    ])
  })

  it('leaves out values that are as short as ordinary words', () => {
    expect(
      listConfiguredSecrets(readEnv({ DATABASE_URL: 'postgres://postgres:postgres@localhost/x' })),
    ).toEqual([])
    expect(listConfiguredSecrets(readEnv({}))).toEqual([])
  })
})
