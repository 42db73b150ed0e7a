import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import {
  forgetModelEvents,
  readLastChatFailure,
  readLastEmbedderFailure,
  storeModelEvent,
} from './model-events.ts'
import { formatDuration } from './model-tests.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

async function readFailures() {
  return [await readLastChatFailure(app.deps), await readLastEmbedderFailure(app.deps)]
}

it('stores the last failure of each kind, but not every failure of a burst', async () => {
  expect(await readFailures()).toEqual([null, null])
  let at = app.deps.now()
  const { db, log } = app.deps
  function storeFailure(kind: 'chat' | 'embeddings', detail: string) {
    return storeModelEvent({ db, log, now: () => at }, kind, {
      event: 'model.failed',
      model: `${kind} model`,
      detail,
    })
  }
  await Promise.all([storeFailure('embeddings', 'first'), storeFailure('chat', 'first')])
  await storeFailure('chat', 'a moment later')
  const embeddings = { at, model: 'embeddings model', detail: 'first' }
  expect(await readFailures()).toEqual([{ at, model: 'chat model', detail: 'first' }, embeddings])
  at += 5000
  await storeFailure('chat', 'x'.repeat(600))
  expect(await readFailures()).toEqual([{ at, model: 'chat model', detail: 'x'.repeat(500) }, embeddings])
})

it('remembers that a failure is over once the same model has answered', async () => {
  const { db, log, now } = app.deps
  const at = now() + 60_000
  const deps = { db, log, now: () => at }
  await storeModelEvent(deps, 'chat', { event: 'model.failed', model: 'one', detail: 'down' })
  await storeModelEvent(deps, 'chat', { event: 'model.answered', model: 'other', detail: '' })
  expect((await readFailures())[0]).toEqual({ at, model: 'one', detail: 'down' })
  await storeModelEvent(deps, 'chat', { event: 'model.answered', model: 'one', detail: '' })
  expect((await readFailures())[0]).toMatchObject({ model: 'one', isOver: true })
  await storeModelEvent(deps, 'chat', { event: 'model.failed', model: 'one', detail: 'again' })
  expect((await readFailures())[0]).toEqual({ at, model: 'one', detail: 'again' })
})

it('remembers that a server answers again, whichever of its models does', async () => {
  const { db, log, now } = app.deps
  const at = now() + 90_000
  const deps = { db, log, now: () => at }
  const detail = 'the connection failed: ECONNREFUSED'
  await storeModelEvent(deps, 'chat', { event: 'model.failed', model: 'one', detail })
  await storeModelEvent(deps, 'chat', { event: 'model.answered', model: 'other', detail: '' })
  expect((await readFailures())[0]).toMatchObject({ model: 'one', isOver: true })
})

it('stores the first failure of a new server at once', async () => {
  const { db, log, now } = app.deps
  const at = now() + 120_000
  const deps = { db, log, now: () => at }
  await storeModelEvent(deps, 'chat', { event: 'model.failed', model: 'old', detail: 'down' })
  await db.transaction().execute((tx) => forgetModelEvents(deps, tx, ['chat']))
  expect((await readFailures())[0]).toBeNull()
  await storeModelEvent(deps, 'chat', { event: 'model.failed', model: 'new', detail: 'down' })
  expect((await readFailures())[0]).toEqual({ at, model: 'new', detail: 'down' })
})

it.each([
  [640.4, '640 ms'],
  [12_645, '12.6 s'],
])('shows %s ms as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})
