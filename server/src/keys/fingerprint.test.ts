import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { requireSameSecrets } from './fingerprint.ts'
import { SecretsError } from './key-file.ts'
import { rotateKeys } from './rotate.ts'
import { loadSecrets } from './secrets.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(() => app.close())

describe('requireSameSecrets', () => {
  it('accepts the keys of the first server only', async () => {
    await requireSameSecrets(app.deps)
    await requireSameSecrets(app.deps)
    const other = { ...app.deps, secrets: loadSecrets(join(app.folder, 'other.json')) }
    await expect(requireSameSecrets(other)).rejects.toThrow(SecretsError)
    await requireSameSecrets(app.deps)
  })

  it('accepts only the new keys after a rotation', async () => {
    await requireSameSecrets(app.deps)
    const before = app.deps.secrets.keyedHash('any', 'value')
    await rotateKeys(app.deps, join(app.folder, 'secrets.json'), true)
    expect(app.deps.secrets.keyedHash('any', 'value')).not.toBe(before)
    await requireSameSecrets(app.deps)
  })
})
