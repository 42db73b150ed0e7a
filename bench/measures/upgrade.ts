import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createEarlierInstallation,
  type EarlierInstallation,
  type UpgradeEnv,
} from '../../server/src/testing/earlier-installation.ts'
import { countMessages } from '../../server/src/testing/earlier-rows.ts'
import { type Kill, killUpgrade, stages, timeUpgrade } from '../../server/src/testing/killed-upgrade.ts'
import { findUpgradeFaults } from '../../server/src/testing/upgrade-faults.ts'
import type { Figure, Measure } from '../figures.ts'
import { withPostgres } from '../postgres.ts'
import { createRandom } from '../random-text.ts'
import { withFolder } from '../server-process.ts'

const step = '0005-test-bench'
const size = { chatsEach: 10, messagesEach: 100 }
const usualRounds = 200
/** One round in this many kills the next attempt too, before it lets the upgrade finish. */
const killsAgainEvery = 4

interface Copies {
  label: string
  installation: EarlierInstallation
  /** Runs a task on a copy of the installation. */
  withCopy: <R>(work: (env: UpgradeEnv) => Promise<R>) => Promise<R>
}

/** Takes a third off every start. */
function compileCache(folder: string) {
  return { NODE_COMPILE_CACHE: join(folder, 'compiled') }
}

async function prepareSqlite(folder: string): Promise<Copies> {
  const original = join(folder, 'sqlite')
  await mkdir(original)
  const installation = await createEarlierInstallation({ DATA_DIR: original }, step, size)
  return {
    label: 'SQLite',
    installation,
    async withCopy(work) {
      const DATA_DIR = join(folder, 'copy')
      await cp(original, DATA_DIR, { recursive: true })
      return await work({ DATA_DIR, ...compileCache(folder) }).finally(() =>
        rm(DATA_DIR, { recursive: true }),
      )
    },
  }
}

async function preparePostgres(
  folder: string,
  create: (template?: string) => Promise<string>,
  drop: (url: string) => Promise<void>,
): Promise<Copies> {
  const DATA_DIR = join(folder, 'postgres')
  const original = await create()
  const installation = await createEarlierInstallation({ DATA_DIR, DATABASE_URL: original }, step, size)
  return {
    label: 'PostgreSQL',
    installation,
    async withCopy(work) {
      const DATABASE_URL = await create(original)
      await mkdir(DATA_DIR)
      try {
        return await work({ DATA_DIR, DATABASE_URL, ...compileCache(folder) })
      } finally {
        await rm(DATA_DIR, { recursive: true })
        await drop(DATABASE_URL)
      }
    },
  }
}

interface Outcome {
  kills: Kill[]
  /** Null if the server did not start again. */
  faults: string[] | null
  detail: string
}

async function killAndUpgrade(
  env: UpgradeEnv,
  installation: EarlierInstallation,
  kill: () => Promise<Kill>,
  maximum: number,
): Promise<Outcome> {
  const kills: Kill[] = []
  while (kills.length < maximum && kills.at(-1)?.stage !== 'use') kills.push(await kill())
  try {
    const faults = await findUpgradeFaults(env, installation, kills.at(-1)?.stage === 'use')
    return { kills, faults, detail: faults.join('; ') || 'recovered' }
  } catch (error) {
    return { kills, faults: null, detail: String(error) }
  }
}

async function runRounds(
  copies: Copies,
  rounds: number,
  random: () => number,
  logStep: (step: string) => void,
): Promise<Figure[]> {
  const { label, installation, withCopy } = copies
  logStep(`${label}: timing an upgrade`)
  const times = await withCopy((env) => timeUpgrade(env, installation))
  const outcomes: Outcome[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const maximum = round % killsAgainEvery === 0 ? 2 : 1
    const outcome = await withCopy((env) =>
      killAndUpgrade(env, installation, () => killUpgrade(env, times, random), maximum),
    )
    outcomes.push(outcome)
    const kills = outcome.kills.map(({ stage, instant }) => `${instant.toFixed(0)} ms, during ${stage}`)
    logStep(`${label}, round ${round} of ${rounds}: ${kills.join(' and ')}: ${outcome.detail}`)
  }
  const hit = outcomes.flatMap(({ kills }) => kills.map(({ stage }) => stage))
  const counts = stages.map((stage) => `${stage} ${hit.filter((killed) => killed === stage).length}`)
  const name = `kill -9 in an upgrade, ${label}`
  return [
    {
      label: `${name}: installations that did not start again`,
      value: outcomes.filter(({ faults }) => faults === null).length,
      unit: '',
      max: 0,
      note: `of ${rounds}, with ${countMessages(size)} messages`,
    },
    {
      label: `${name}: installations with data lost, doubled or not found`,
      value: outcomes.filter(({ faults }) => faults !== null && faults.length > 0).length,
      unit: '',
      max: 0,
      note: `${hit.length} kills during: ${counts.join(', ')}`,
    },
    { label: `${name}: an upgrade that is not killed`, value: times.upgrade / 1000, unit: 's' },
  ]
}

export const upgrade: Measure = {
  name: 'upgrade',
  title: 'What survives kills at random instants of an upgrade',
  isLong: true,
  run: (logStep, { seed, rounds }) =>
    withPostgres((createDatabase, dropDatabase) =>
      withFolder(async (folder) => {
        logStep(`seed ${seed}: repeat this run with --seed ${seed}`)
        const random = createRandom(seed)
        const figures: Figure[] = []
        for (const copies of [
          await prepareSqlite(folder),
          await preparePostgres(folder, createDatabase, dropDatabase),
        ])
          figures.push(...(await runRounds(copies, rounds ?? usualRounds, random, logStep)))
        return figures
      }),
    ),
}
