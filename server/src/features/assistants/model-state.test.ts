import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { formatDuration, getEmbedderState, getModelState, storeModelFailure } from './model-state.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

async function readFailures() {
  return [(await getModelState(app.deps)).lastFailure, (await getEmbedderState(app.deps)).lastFailure]
}

it('stores the last failure of each kind, but not every failure of a burst', async () => {
  expect(await readFailures()).toEqual([null, null])
  let at = app.deps.now()
  const { db, log } = app.deps
  function storeFailure(kind: 'chat' | 'embeddings', detail: string) {
    return storeModelFailure({ db, log, now: () => at }, kind, { model: `${kind} model`, detail })
  }
  await Promise.all([storeFailure('embeddings', 'first'), storeFailure('chat', 'first')])
  await storeFailure('chat', 'a moment later')
  const embeddings = { at, model: 'embeddings model', detail: 'first' }
  expect(await readFailures()).toEqual([{ at, model: 'chat model', detail: 'first' }, embeddings])
  at += 5000
  await storeFailure('chat', 'x'.repeat(600))
  expect(await readFailures()).toEqual([{ at, model: 'chat model', detail: 'x'.repeat(500) }, embeddings])
})

it.each([
  [640.4, '640 ms'],
  [12_645, '12.6 s'],
])('shows %s ms as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})
