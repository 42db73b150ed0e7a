import { setTimeout as sleep } from 'node:timers/promises'
import { authApi } from '@lyceum/contract/auth'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import { createUser } from '../../server/src/testing/factories.ts'
import { createHttpClient } from '../../server/src/testing/http-client.ts'
import { type Figure, type Measure, median } from '../figures.ts'
import { mannWhitney } from '../mann-whitney.ts'
import { createRandom } from '../random-text.ts'
import { withDeps } from '../records.ts'
import { startServerOn, withFolder } from '../server-process.ts'

const runsPerCall = 200
const warmUp = 20
/** Long enough for the email of the previous attempt to be written. */
const pause = 100

interface Attempt {
  label: string
  endpoint: EndpointShape
  status: number
  bodyFor: (email: string) => unknown
}

const tries: readonly Attempt[] = [
  {
    label: 'a wrong password',
    endpoint: authApi.login,
    status: 401,
    bodyFor: (email) => ({ email, password: 'not the password' }),
  },
  {
    label: 'requesting a password reset',
    endpoint: authApi.forgotPassword,
    status: 200,
    bodyFor: (email) => ({ email }),
  },
]

/** A different address for every attempt, so that earlier attempts do not throttle it. */
function buildAddress(kind: 'known' | 'nobody', at: number): string {
  return `${kind === 'known' ? 'user' : 'nobody'}-${1000 + at}@example.org`
}

interface Times {
  known: number[]
  nobody: number[]
}

/** Tries pairs of a known and an unknown address, each pair in random order. */
async function timeCalls(url: string, { endpoint, status, bodyFor }: Attempt): Promise<Times> {
  const { request } = createHttpClient(url, '')
  const random = createRandom(11)
  async function attempt(kind: keyof Times, at: number): Promise<number> {
    const begun = performance.now()
    const response = await request(endpoint, { body: bodyFor(buildAddress(kind, at)) })
    await response.arrayBuffer()
    const took = performance.now() - begun
    if (response.status !== status) throw new Error(`${endpoint.path} answered ${response.status}`)
    await sleep(pause)
    return took
  }
  const times: Times = { known: [], nobody: [] }
  for (let at = 0; at < warmUp + runsPerCall; at += 1)
    for (const kind of random() < 0.5 ? (['known', 'nobody'] as const) : (['nobody', 'known'] as const)) {
      const took = await attempt(kind, at)
      if (at >= warmUp) times[kind].push(took)
    }
  return times
}

function toFigures(label: string, { known, nobody }: Times): Figure[] {
  return [
    {
      label: `${label}, difference of the medians`,
      value: Math.abs(median(known) - median(nobody)),
      unit: 'ms',
      max: 5,
      note: `known ${median(known).toFixed(2)}, unknown ${median(nobody).toFixed(2)}`,
    },
    { label: `${label}, Mann-Whitney p`, value: mannWhitney(known, nobody), unit: '', min: 0.01 },
  ]
}

export const signIn: Measure = {
  name: 'sign-in',
  title: `Known addresses against unknown ones, ${runsPerCall} alternating attempts each`,
  run: (logStep) =>
    withFolder(async (folder) => {
      await withDeps(folder, async (deps) => {
        for (let at = 0; at < warmUp + runsPerCall; at += 1)
          await createUser(deps, { email: buildAddress('known', at) })
      })
      const server = await startServerOn(folder)
      try {
        const figures: Figure[] = []
        for (const one of tries) {
          logStep(one.label)
          figures.push(...toFigures(one.label, await timeCalls(server.url, one)))
        }
        return figures
      } finally {
        await server.stop()
      }
    }),
}
