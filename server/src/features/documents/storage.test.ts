import { documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
})
afterEach(() => app.close())

async function upload(channelId: string, content: string): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId },
    file: { name: 'notes.txt', content },
  })
  return body._id
}

function replace(id: string, content: string) {
  return app.upload(documentsApi.replace, { as: admin, params: { id }, file: { name: 'notes.txt', content } })
}

describe('GET /documents/storage', () => {
  it('rejects callers without canManageDocuments', async () => {
    const restrictedAdmin = await createAdmin(app.deps, { permissions: { canManageDocuments: false } })
    for (const as of [await createUser(app.deps), restrictedAdmin])
      expect((await app.call(documentsApi.storage, { as })).status).toBe(403)
  })

  it('returns the storage use of each channel, largest first', async () => {
    const small = await createTestChannel(app.deps, { name: 'Small' })
    const large = await createTestChannel(app.deps, { name: 'Large' })
    await createTestChannel(app.deps, { name: 'Empty' })
    const id = await upload(small, 'x'.repeat(100))
    await app.call(documentsApi.approve, { as: admin, params: { id } })
    await app.runJobs()
    await replace(id, 'y'.repeat(50))
    await upload(large, 'z'.repeat(300))
    await upload(large, 'w'.repeat(40))
    const { body } = await app.call(documentsApi.storage, { as: admin })
    expect(body).toEqual({
      channels: [
        { channel: { _id: large, name: 'Large' }, documents: 2, versions: 2, bytes: 340, passages: 0 },
        { channel: { _id: small, name: 'Small' }, documents: 1, versions: 2, bytes: 150, passages: 1 },
        {
          channel: { _id: expect.any(String), name: 'Empty' },
          documents: 0,
          versions: 0,
          bytes: 0,
          passages: 0,
        },
      ],
      total: { documents: 3, bytes: 490, passages: 1 },
    })
  })

  it('does not count released files', async () => {
    const channelId = await createTestChannel(app.deps)
    const id = await upload(channelId, 'x'.repeat(100))
    await app.call(documentsApi.approve, { as: admin, params: { id } })
    await replace(id, 'y'.repeat(50))
    await app.call(documentsApi.reject, { as: admin, params: { id } })
    const { body } = await app.call(documentsApi.storage, { as: admin })
    expect(body.total).toMatchObject({ documents: 1, bytes: 100 })
  })
})

describe('GET /documents?search=', () => {
  async function searchNames(search: string) {
    const { body } = await app.call(documentsApi.list, { as: admin, query: { search, limit: 10 } })
    return 'items' in body ? body.items.map(({ originalName }) => originalName) : []
  }

  it('finds documents by their current names after uploads, replacements and deletions', async () => {
    const channelId = await createTestChannel(app.deps)
    async function uploadTitled(title: string, name: string) {
      const { body } = await app.upload(documentsApi.upload, {
        as: admin,
        fields: { channelId, title },
        file: { name, content: `Words of ${name}` },
      })
      return body._id
    }
    const id = await uploadTitled('Größenordnung "A" 100%', 'numbers.txt')
    await uploadTitled('Untitled', 'موارد بشرية.txt')
    for (const search of ['GRÖSSE', 'größenord', '"A" 1', '100%', 'GRÖßEN', 'ße'])
      expect([search, await searchNames(search)]).toEqual([
        search,
        search === 'GRÖSSE' ? [] : ['numbers.txt'],
      ])
    expect(await searchNames('بشرية')).toEqual(['موارد بشرية.txt'])
    expect(await searchNames('untitled')).toEqual(['موارد بشرية.txt'])
    expect(await searchNames('10_%')).toEqual([])
    expect(await searchNames('a\0b c')).toEqual([])
    await app.upload(documentsApi.replace, {
      as: admin,
      params: { id },
      file: { name: 'Small.txt', content: 'Other words' },
    })
    expect([await searchNames('numbers'), await searchNames('SMALL')]).toEqual([[], ['Small.txt']])
    await app.call(documentsApi.remove, { as: admin, params: { id } })
    expect(await searchNames('small')).toEqual([])
    await app.deps.db.deleteFrom('channels').execute()
    expect(await searchNames('بشرية')).toEqual([])
  })
})
