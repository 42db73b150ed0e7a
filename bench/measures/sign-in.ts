import { setTimeout as sleep } from 'node:timers/promises'
import { authApi } from '@lyceum/contract/auth'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import { createUser } from '../../server/src/testing/factories.ts'
import { createHttpClient } from '../../server/src/testing/http-client.ts'
import { type Figure, type Measure, median } from '../figures.ts'
import { computeMannWhitneyP } from '../mann-whitney.ts'
import { createRandom } from '../random-text.ts'
import { startServerOn, withFolder } from '../server-process.ts'
import { withDeps } from '../with-deps.ts'

const runsPerCall = 200
const warmUp = 20
/** Long enough for the email of the previous attempt to be written. */
const pauseMs = 100

interface Attempt {
  label: string
  endpoint: EndpointShape
  status: number
  bodyFor: (email: string) => unknown
}

const attempts: readonly Attempt[] = [
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
function buildAddress(kind: 'known' | 'unknown', at: number): string {
  return `${kind === 'known' ? 'user' : 'unknown'}-${1000 + at}@example.org`
}

interface Times {
  known: number[]
  unknown: number[]
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
    if (response.status !== status) throw new Error(`${endpoint.path} returned ${response.status}`)
    await sleep(pauseMs)
    return took
  }
  const times: Times = { known: [], unknown: [] }
  for (let at = 0; at < warmUp + runsPerCall; at += 1)
    for (const kind of random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const took = await attempt(kind, at)
      if (at >= warmUp) times[kind].push(took)
    }
  return times
}

function toFigures(label: string, { known, unknown }: Times): Figure[] {
  return [
    {
      label: `${label}, difference of the medians`,
      value: Math.abs(median(known) - median(unknown)),
      unit: 'ms',
      max: 5,
      note: `known ${median(known).toFixed(2)}, unknown ${median(unknown).toFixed(2)}`,
    },
    { label: `${label}, Mann-Whitney p`, value: computeMannWhitneyP(known, unknown), unit: '', min: 0.01 },
  ]
}

export const signIn: Measure = {
  name: 'sign-in',
  title: `Known addresses against unknown ones, ${runsPerCall} attempts each in random order`,
  run: (logStep) =>
    withFolder(async (folder) => {
      await withDeps(folder, async (deps) => {
        for (let at = 0; at < warmUp + runsPerCall; at += 1)
          await createUser(deps, { email: buildAddress('known', at) })
      })
      const server = await startServerOn(folder)
      try {
        const figures: Figure[] = []
        for (const attempt of attempts) {
          logStep(attempt.label)
          figures.push(...toFigures(attempt.label, await timeCalls(server.url, attempt)))
        }
        return figures
      } finally {
        await server.stop()
      }
    }),
}
