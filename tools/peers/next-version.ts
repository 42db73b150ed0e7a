import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import type { Launcher } from '../../server/src/testing/spawn-server.ts'

/** A copy of this version that knows three more migrations and writes to the column that they add. */
export interface NextVersion {
  launcher: Launcher
  /** The path of its command line. */
  cli: string
}

export const nextSteps = {
  expand: ['9001-expand-greeting', '9002-expand-greeting-index'],
  contract: ['9003-contract-greeting'],
}

const addColumn = `import { sql } from 'kysely'
  export const greeting = {
    async up(db) {
      await sql\`alter table channels add column greeting text not null default 'none'\`.execute(db)
    },
  }`

const addIndex = `import { addIndexes } from '../index-step.ts'
  export const greetingIndex = addIndexes({ name: 'channels_greeting', table: 'channels', columns: ['greeting'] })`

/** The version before could no longer create channels. */
const dropDefault = `import { sql } from 'kysely'
  export const withoutDefault = {
    async up(db) {
      await sql\`alter table channels alter column greeting drop default\`.execute(db)
    },
  }`

function replaceIn(path: string, before: string, after: string): void {
  const text = readFileSync(path, 'utf8')
  if (!text.includes(before)) throw new Error(`${path} does not contain ${before}`)
  writeFileSync(path, text.replace(before, after))
}

/** Copies the server into the folder and changes it as a release would. There is no older release to start from. */
export function createNextVersion(folder: string): NextVersion {
  const source = join(folder, 'server/src')
  mkdirSync(source, { recursive: true })
  cpSync(join(root, 'server/src'), source, {
    recursive: true,
    filter: (path) => !/\.test\.ts$|\/testing$/.test(path),
  })
  cpSync(join(root, 'server/package.json'), join(folder, 'server/package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  replaceIn(join(folder, 'server/package.json'), '"version": "', '"version": "next-')

  const steps = [
    [nextSteps.expand[0], 'greeting', addColumn],
    [nextSteps.expand[1], 'greetingIndex', addIndex],
    [nextSteps.contract[0], 'withoutDefault', dropDefault],
  ] as const
  const list = join(source, 'db/migrate.ts')
  for (const [name, value, text] of steps) {
    writeFileSync(join(source, 'db/migrations', `${name}.ts`), text)
    replaceIn(
      list,
      '\nconst migrations',
      `\nimport { ${value} } from './migrations/${name}.ts'\nconst migrations`,
    )
    replaceIn(list, "  '0001-foundation'", `  '${name}': ${value},\n  '0001-foundation'`)
  }
  replaceIn(
    join(source, 'features/channels/store.ts'),
    "insertInto('channels').values(channel)",
    "insertInto('channels').values({ ...channel, greeting: 'Welcome' } as never)",
  )
  return {
    launcher: { command: [process.execPath, join(source, 'main.ts')] },
    cli: join(source, 'cli.ts'),
  }
}
