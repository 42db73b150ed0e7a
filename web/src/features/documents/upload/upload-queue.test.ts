import { documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clearStoredSession } from '#api/token.ts'
import { type FakeApi, NoNetwork, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { aDocument } from '#testing/samples.ts'
import { anAdmin, aToken, signIn } from '#testing/users.ts'
import { createUploadQueue } from './upload-queue.ts'

// Opening a PDF needs a browser.
vi.mock('#ui/pdf/pdf-fault.ts', () => ({
  findPdfFault: async (file: File) => (file.name.startsWith('bad') ? 'This file is not a PDF.' : null),
}))

let api: FakeApi
let queue: ReturnType<typeof createUploadQueue>

function aFile(name: string): File {
  return new File(['some text'], name)
}
function readStates(): string[] {
  return queue.get().map(({ file, state }) => `${file.name} ${state}`)
}
function findId(name: string): string {
  return queue.get().find(({ file }) => file.name === name)?.id ?? ''
}

beforeEach(() => {
  signIn(anAdmin())
  queue = createUploadQueue()
  api = fakeApi().on(documentsApi.upload, () => aDocument())
})

afterEach(() => queue.clear())

describe('the upload queue', () => {
  it('sends files at once, except PDFs, which wait for their preview', async () => {
    queue.add('channel-1', [aFile('b.TXT'), aFile('a.pdf')])
    await expect.poll(readStates).toEqual(['b.TXT done', 'a.pdf preview'])
    queue.release([findId('a.pdf')])
    await expect.poll(readStates).toEqual(['b.TXT done', 'a.pdf done'])
    expect(queue.storedCount.get()).toBe(2)
  })

  it('sends the channel, the file name as title and the fixed description', async () => {
    queue.add('channel-1', [aFile('b.txt')])
    await expect.poll(readStates).toEqual(['b.txt done'])
    const [sent] = api.calls(documentsApi.upload)
    expect(sent?.file?.name).toBe('b.txt')
    expect(sent?.fields).toEqual({
      channelId: 'channel-1',
      title: 'b.txt',
      description: 'Uploaded from channel management by admin',
    })
  })

  it('refuses unsupported files without sending them', () => {
    queue.add('channel-1', [aFile('a.png'), aFile('pdf')])
    expect(queue.get().map(({ state, reason, canRetry }) => [state, reason, canRetry])).toEqual([
      ['failed', 'Only PDF, DOC, DOCX and TXT files can be uploaded.', false],
      ['failed', 'Only PDF, DOC, DOCX and TXT files can be uploaded.', false],
    ])
    expect(api.calls(documentsApi.upload)).toHaveLength(0)
  })

  it('marks a PDF that cannot be read, which Done removes', async () => {
    queue.add('channel-1', [aFile('bad.pdf'), aFile('good.pdf')])
    await expect.poll(readStates).toEqual(['bad.pdf broken', 'good.pdf preview'])
    expect(queue.get()[0]?.reason).toBe('This file is not a PDF.')
    queue.clearFinished('channel-1')
    expect(readStates()).toEqual(['good.pdf preview'])
    expect(api.calls(documentsApi.upload)).toHaveLength(0)
  })

  it('sends two at a time', async () => {
    const resolvers: (() => void)[] = []
    api.on(documentsApi.upload, () => new Promise((done) => resolvers.push(() => done(aDocument()))))
    queue.add('channel-1', [aFile('a.txt'), aFile('b.txt'), aFile('c.txt')])
    expect(readStates()).toEqual(['a.txt sending', 'b.txt sending', 'c.txt waiting'])
    await expect.poll(() => resolvers.length).toBe(2)
    resolvers[0]?.()
    await expect.poll(readStates).toEqual(['a.txt done', 'b.txt sending', 'c.txt sending'])
    resolvers[1]?.()
    await expect.poll(() => resolvers.length).toBe(3)
    resolvers[2]?.()
    await expect.poll(readStates).toEqual(['a.txt done', 'b.txt done', 'c.txt done'])
  })

  it('cancels an upload and continues with the next', async () => {
    api.on(documentsApi.upload, ({ file }) =>
      file?.name === 'c.txt' ? aDocument() : new Promise<never>(() => undefined),
    )
    queue.add('channel-1', [aFile('a.txt'), aFile('b.txt'), aFile('c.txt')])
    queue.cancel([findId('a.txt')])
    await expect.poll(readStates).toEqual(['b.txt sending', 'c.txt done'])
  })

  it('retries with the same idempotency key, so that nothing is stored twice', async () => {
    let isDown = true
    api.on(documentsApi.upload, () => {
      if (isDown) throw new NoNetwork()
      return aDocument()
    })
    queue.add('channel-1', [aFile('a.txt')])
    await expect.poll(readStates).toEqual(['a.txt failed'])
    expect(queue.get()[0]).toMatchObject({ reason: 'Failed to upload document', canRetry: true })
    isDown = false
    queue.release([findId('a.txt')])
    await expect.poll(readStates).toEqual(['a.txt done'])
    const keys = api.calls(documentsApi.upload).map(({ headers }) => headers.get('Idempotency-Key'))
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  it('shows the server’s message and offers no retry after a refusal', async () => {
    api.on(documentsApi.upload, () => refuse('document.encrypted'))
    queue.add('channel-1', [aFile('a.txt')])
    await expect.poll(readStates).toEqual(['a.txt failed'])
    expect(queue.get()[0]).toMatchObject({
      reason: 'This document is password-protected and cannot be read.',
      canRetry: false,
    })
    queue.clearFinished('channel-1')
    expect(readStates()).toEqual([])
  })

  it('never sends files on behalf of another user', async () => {
    const resolvers: (() => void)[] = []
    api.on(documentsApi.upload, () => new Promise((done) => resolvers.push(() => done(aDocument()))))
    queue.add('channel-1', [aFile('a.txt'), aFile('b.txt'), aFile('c.txt')])
    await expect.poll(() => resolvers.length).toBe(2)
    clearStoredSession()
    signIn(anAdmin({ _id: 'admin-2' }), aToken(9_999_999_999))
    resolvers[0]?.()
    await expect.poll(readStates).toEqual(['a.txt done'])
    expect(resolvers).toHaveLength(2)
  })
})
