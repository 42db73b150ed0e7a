import { withBrowser } from '../chat-screen/browser.ts'
import { createFixture, longLength, shortLength, signInTo, withServer } from '../chat-screen/installation.ts'
import { type LongChatTimes, openLongChat } from '../chat-screen/long-chat.ts'
import type { Smoothness } from '../chat-screen/smoothness.ts'
import {
  type BenchContext,
  type MemorySample,
  measureLongReplyMemory,
  measureOnPlainPage,
  measureOnScreen,
} from '../chat-screen/streaming.ts'
import type { Figure, Measure } from '../figures.ts'
import { withFolder } from '../server-process.ts'

const typicalReply = { tokens: 3000, delayMs: 10 }
const longReply = { tokens: 30_000, delayMs: 1 }
const sampledTokens = [5000, 15_000, 29_000]
const slowdown = 4

interface Limits {
  dropped?: number
  longTasks?: number
}

function toSmoothnessFigures(label: string, { dropped, longTasks }: Limits, measured: Smoothness): Figure[] {
  return [
    {
      label: `${label}: frames dropped`,
      value: measured.droppedPercent,
      unit: '%',
      ...(dropped === undefined ? {} : { max: dropped }),
      note: `in ${measured.seconds.toFixed(1)} s`,
    },
    {
      label: `${label}: tasks above 50 ms`,
      value: measured.longTasks,
      unit: '',
      ...(longTasks === undefined ? {} : { max: longTasks }),
      note: measured.longTasks === 0 ? '' : `the longest ${measured.longest.toFixed(0)} ms`,
    },
    { label: `${label}: script`, value: measured.script, unit: 'ms' },
    { label: `${label}: main thread`, value: measured.main, unit: 'ms' },
  ]
}

function toMemoryFigures(samples: readonly MemorySample[]): Figure[] {
  return samples.map(({ tokens, heap, nodes }) => ({
    label: `heap ${tokens === 0 ? 'before' : Number.isFinite(tokens) ? `at ${tokens} tokens` : 'at the end'}`,
    value: heap,
    unit: 'MB',
    note: `${nodes} nodes`,
  }))
}

function toLongChatFigures(label: string, { shown, nodes, sending, scrolling }: LongChatTimes): Figure[] {
  return [
    {
      label: `${label}: from navigation to the last message`,
      value: shown,
      unit: 'ms',
      note: `${nodes} nodes`,
    },
    { label: `${label}: from Enter to the message`, value: sending, unit: 'ms' },
    ...toSmoothnessFigures(`${label}, scrolling up`, {}, scrolling),
  ]
}

export const chatScreen: Measure = {
  name: 'chat-screen',
  title: 'The channel screen in a browser',
  run: (logStep) =>
    withFolder((folder) =>
      withBrowser(async (browser) => {
        logStep('creating chats')
        const fixture = await createFixture(folder)
        const chats = [...fixture.emptyChats]
        function nextChat(): string {
          return chats.shift() ?? ''
        }
        const figures: Figure[] = []
        await withServer(folder, typicalReply, async (server) => {
          const context: BenchContext = { browser, server, fixture, session: await signInTo(server, fixture) }
          logStep('a reply of 3,000 tokens')
          const floor = await measureOnPlainPage(context, nextChat(), slowdown)
          const [cold, warm] = await measureOnScreen(context, [nextChat(), nextChat()], slowdown)
          figures.push(
            ...(cold ? toSmoothnessFigures('3,000 tokens at 4×, the first after a load', {}, cold) : []),
            ...(warm ? toSmoothnessFigures('3,000 tokens at 4×', { dropped: 1, longTasks: 0 }, warm) : []),
            ...toSmoothnessFigures('the same on a plain page', {}, floor),
          )
        })
        await withServer(folder, longReply, async (server) => {
          const context: BenchContext = { browser, server, fixture, session: await signInTo(server, fixture) }
          logStep('a reply of 30,000 tokens, twice')
          const [shown] = await measureOnScreen(context, [nextChat()], 1)
          figures.push(
            ...(shown ? toSmoothnessFigures('30,000 tokens', { longTasks: 0 }, shown) : []),
            ...toMemoryFigures(await measureLongReplyMemory(context, nextChat(), sampledTokens)),
          )
        })
        await withServer(folder, { tokens: 20, delayMs: 10 }, async (server) => {
          const context: BenchContext = { browser, server, fixture, session: await signInTo(server, fixture) }
          for (const rate of [1, slowdown]) {
            logStep(`chats of 10 and of 2,000 messages${rate === 1 ? '' : `, ${rate} times slower`}`)
            const at = rate === 1 ? '' : ` at ${rate}×`
            figures.push(
              ...toLongChatFigures(
                `chat of 10${at}`,
                await openLongChat(context, fixture.shortChat, shortLength, rate),
              ),
              ...toLongChatFigures(
                `chat of 2,000${at}`,
                await openLongChat(context, fixture.longChat, longLength, rate),
              ),
            )
          }
        })
        return figures
      }),
    ),
}
