import { expect, it } from 'vitest'
import type { Tx } from '#db/client.ts'
import { createLifecycle, type LifecycleHooks } from './lifecycle.ts'

it('runs the hooks of all features one after another, in the given order', async () => {
  const calls: string[] = []
  function createFeature(name: string): LifecycleHooks<null> {
    return {
      async onChannelDeleting(_deps, _tx, channelId) {
        calls.push(`${name} begins ${channelId}`)
        await Promise.resolve()
        calls.push(`${name} ends`)
      },
    }
  }
  const lifecycle = createLifecycle([createFeature('chats'), {}, createFeature('documents')])

  await lifecycle.onChannelDeleting(null, {} as Tx, 'general')

  expect(calls).toEqual(['chats begins general', 'chats ends', 'documents begins general', 'documents ends'])
})

it('stops at the first hook that fails', async () => {
  const calls: string[] = []
  const lifecycle = createLifecycle<null>([
    { onUserDeleting: () => Promise.reject(new Error('locked')) },
    {
      onUserDeleting: async () => {
        calls.push('documents')
      },
    },
  ])

  await expect(lifecycle.onUserDeleting(null, {} as Tx, 'ada')).rejects.toThrow('locked')
  expect(calls).toEqual([])
})
