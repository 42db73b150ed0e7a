import { withBrowser } from '../chat-screen/browser.ts'
import { longLength, setStage, shortLength, signInTo, withServer } from '../chat-screen/installation.ts'
import { type Opened, openLongChat } from '../chat-screen/long-chat.ts'
import type { Smoothness } from '../chat-screen/smoothness.ts'
import {
  type Scene,
  streamOnPlainPage,
  streamOnScreen,
  type Weighing,
  weighLongReply,
} from '../chat-screen/streaming.ts'
import type { Figure, Measure } from '../figures.ts'
import { withFolder } from '../server-process.ts'

const everyday = { tokens: 3000, delayMs: 10 }
const veryLong = { tokens: 30_000, delayMs: 1 }
const looksAt = [5000, 15_000, 29_000]
const slowdown = 4

interface Bars {
  dropped?: number
  longTasks?: number
}

function smoothnessOf(what: string, { dropped, longTasks }: Bars, measured: Smoothness): Figure[] {
  return [
    {
      what: `${what}: frames dropped`,
      value: measured.droppedPercent,
      unit: '%',
      ...(dropped === undefined ? {} : { bar: dropped }),
      note: `in ${measured.seconds.toFixed(1)} s`,
    },
    {
      what: `${what}: tasks above 50 ms`,
      value: measured.longTasks,
      unit: '',
      ...(longTasks === undefined ? {} : { bar: longTasks }),
      note: measured.longTasks === 0 ? '' : `the longest ${measured.longest.toFixed(0)} ms`,
    },
    { what: `${what}: script`, value: measured.script, unit: 'ms' },
    { what: `${what}: main thread`, value: measured.main, unit: 'ms' },
  ]
}

function weighingsOf(weighings: readonly Weighing[]): Figure[] {
  return weighings.map(({ tokens, heap, nodes }) => ({
    what: `heap ${tokens === 0 ? 'before' : Number.isFinite(tokens) ? `at ${tokens} tokens` : 'at the end'}`,
    value: heap,
    unit: 'MB',
    note: `${nodes} nodes`,
  }))
}

function openedOf(what: string, { shown, nodes, sending, scrolling }: Opened): Figure[] {
  return [
    {
      what: `${what}: from navigation to the last message`,
      value: shown,
      unit: 'ms',
      note: `${nodes} nodes`,
    },
    { what: `${what}: from Enter to the message`, value: sending, unit: 'ms' },
    ...smoothnessOf(`${what}, scrolling up`, {}, scrolling),
  ]
}

export const chatScreen: Measure = {
  name: 'chat-screen',
  title: 'The channel screen in a browser',
  run: (say) =>
    withFolder((folder) =>
      withBrowser(async (browser) => {
        say('making chats')
        const stage = await setStage(folder)
        const chats = [...stage.emptyChats]
        function nextChat(): string {
          return chats.shift() ?? ''
        }
        const figures: Figure[] = []
        await withServer(folder, everyday, async (server) => {
          const scene: Scene = { browser, server, stage, session: await signInTo(server, stage) }
          say('a reply of 3,000 tokens')
          const floor = await streamOnPlainPage(scene, nextChat(), slowdown)
          const [cold, warm] = await streamOnScreen(scene, [nextChat(), nextChat()], slowdown)
          figures.push(
            ...(cold ? smoothnessOf('3,000 tokens at 4×, the first after a load', {}, cold) : []),
            ...(warm ? smoothnessOf('3,000 tokens at 4×', { dropped: 1, longTasks: 0 }, warm) : []),
            ...smoothnessOf('the same on a plain page', {}, floor),
          )
        })
        await withServer(folder, veryLong, async (server) => {
          const scene: Scene = { browser, server, stage, session: await signInTo(server, stage) }
          say('a reply of 30,000 tokens, twice')
          const [shown] = await streamOnScreen(scene, [nextChat()], 1)
          figures.push(
            ...(shown ? smoothnessOf('30,000 tokens', { longTasks: 0 }, shown) : []),
            ...weighingsOf(await weighLongReply(scene, nextChat(), looksAt)),
          )
        })
        await withServer(folder, { tokens: 20, delayMs: 10 }, async (server) => {
          const scene: Scene = { browser, server, stage, session: await signInTo(server, stage) }
          for (const rate of [1, slowdown]) {
            say(`chats of 10 and of 2,000 messages, ${rate}× slower`)
            const at = rate === 1 ? '' : ` at ${rate}×`
            figures.push(
              ...openedOf(`chat of 10${at}`, await openLongChat(scene, stage.shortChat, shortLength, rate)),
              ...openedOf(`chat of 2,000${at}`, await openLongChat(scene, stage.longChat, longLength, rate)),
            )
          }
        })
        return figures
      }),
    ),
}
