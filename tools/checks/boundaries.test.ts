import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { featureOrder } from '../../.dependency-cruiser.mjs'
import { root as repository } from '../../bin/pinned-node.mjs'
import { checkBoundaries, ruleNames } from './boundaries.ts'

type Planted = { rule: string; file: string; source: string; beside?: Record<string, string> }

/** One forbidden import for each rule, in a tree that is otherwise valid. */
const planted: Planted[] = [
  { rule: 'contract-imports-only-zod', file: 'contract/src/a.ts', source: `import 'fastify'` },
  { rule: 'contract-imports-only-zod', file: 'contract/src/a.ts', source: `import 'node:fs'` },
  { rule: 'server-does-not-import-web', file: 'server/src/a.ts', source: `import '../../web/src/main.tsx'` },
  { rule: 'web-does-not-import-server', file: 'web/src/a.ts', source: `import '../../server/src/main.ts'` },
  {
    rule: 'only-routes-use-http',
    file: 'server/src/features/users/access.ts',
    source: `import type { FastifyRequest } from 'fastify'\nexport type R = FastifyRequest`,
  },
  {
    rule: 'only-routes-use-http',
    file: 'server/src/features/users/users.ts',
    source: `import '#http/endpoint.ts'`,
    beside: { 'server/src/http/endpoint.ts': '' },
  },
  { rule: 'only-stores-use-sql', file: 'server/src/features/users/users.ts', source: `import 'kysely'` },
  { rule: 'only-stores-use-sql', file: 'server/src/features/users/a.ts', source: `import 'node:sqlite'` },
  {
    rule: 'only-stores-use-sql',
    file: 'server/src/features/users/users.ts',
    source: `import '#db/schema.ts'`,
    beside: { 'server/src/db/schema.ts': '' },
  },
  {
    rule: 'only-stores-open-the-database',
    file: 'server/src/features/users/users.ts',
    source: `import { open } from '#db/client.ts'\nexport const a = open`,
    beside: { 'server/src/db/client.ts': 'export type Tx = string\nexport const open = 1' },
  },
  {
    rule: 'stores-are-private',
    file: 'server/src/features/chats/chats.ts',
    source: `import '#features/users/store.ts'`,
    beside: { 'server/src/features/users/store.ts': '' },
  },
  {
    rule: 'features-are-ordered',
    file: 'server/src/features/users/users.ts',
    source: `import '#features/chats/chats.ts'`,
    beside: { 'server/src/features/chats/chats.ts': '' },
  },
  {
    rule: 'platform-imports-no-feature',
    file: 'server/src/jobs/runner.ts',
    source: `import '#features/chats/chats.ts'`,
    beside: { 'server/src/features/chats/chats.ts': '' },
  },
  {
    rule: 'web-base-imports-no-feature',
    file: 'web/src/ui/Button.tsx',
    source: `import '#features/chats/queries.ts'`,
    beside: { 'web/src/features/chats/queries.ts': '' },
  },
  {
    rule: 'web-features-import-no-page',
    file: 'web/src/features/chats/ChatList.tsx',
    source: `import '#pages/channel.tsx'`,
    beside: { 'web/src/pages/channel.tsx': '' },
  },
  {
    rule: 'web-pages-import-no-app',
    file: 'web/src/pages/channel.tsx',
    source: `import '#app/router.tsx'`,
    beside: { 'web/src/app/router.tsx': '' },
  },
  {
    rule: 'web-features-share-only-data',
    file: 'web/src/features/chats/ChatList.tsx',
    source: `import '#features/users/UserRow.tsx'`,
    beside: { 'web/src/features/users/UserRow.tsx': '' },
  },
  {
    rule: 'product-imports-no-tests',
    file: 'server/src/a.ts',
    source: `import './testing/app.ts'`,
    beside: { 'server/src/testing/app.ts': '' },
  },
  {
    rule: 'no-cycles',
    file: 'server/src/a.ts',
    source: `import './b.ts'`,
    beside: { 'server/src/b.ts': `import './a.ts'` },
  },
  { rule: 'no-unresolved-imports', file: 'server/src/a.ts', source: `import './gone.ts'` },
]

const validTree: Record<string, string> = {
  'contract/package.json': JSON.stringify({ name: '@lyceum/contract', exports: { './*': './src/*.ts' } }),
  'contract/src/users.ts': `import * as z from 'zod/mini'\nexport const user = z`,
  'server/package.json': JSON.stringify({ name: '@lyceum/server', imports: { '#*': './src/*' } }),
  'server/src/main.ts': `import { user } from '@lyceum/contract/users'\nimport '#features/channels/routes.ts'\nexport const a = user`,
  'server/src/features/channels/routes.ts': `import 'fastify'\nimport './store.ts'`,
  'server/src/features/channels/store.ts': `import 'kysely'`,
  'server/src/features/channels/channels.ts': `import type { Tx } from '#db/client.ts'\nexport type A = Tx`,
  'server/src/db/client.ts': 'export type Tx = string',
  'web/package.json': JSON.stringify({ name: '@lyceum/web', imports: { '#*': './src/*' } }),
  'web/src/main.tsx': `import { user } from '@lyceum/contract/users'\nimport '#features/channels/Card.tsx'\nexport const a = user`,
  'web/src/features/channels/Card.tsx': `import '#features/documents/queries.ts'`,
  'web/src/features/documents/queries.ts': '',
  'node_modules/zod/package.json': JSON.stringify({ name: 'zod', exports: { './mini': './mini.js' } }),
  'node_modules/zod/mini.js': '',
  'node_modules/fastify/package.json': JSON.stringify({ name: 'fastify', main: 'index.js' }),
  'node_modules/fastify/index.js': '',
  'node_modules/kysely/package.json': JSON.stringify({ name: 'kysely', main: 'index.js' }),
  'node_modules/kysely/index.js': '',
}

let root: string

function write(files: Record<string, string>): void {
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), source)
  }
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'lyceum-boundaries-')))
  write(validTree)
  mkdirSync(join(root, 'node_modules/@lyceum'))
  symlinkSync('../../contract', join(root, 'node_modules/@lyceum/contract'))
})

afterEach(() => rmSync(root, { recursive: true }))

describe('checkBoundaries', () => {
  it('accepts a valid tree', async () => {
    expect(await checkBoundaries(root)).toEqual({
      violations: [],
      files: 9,
      imports: 10,
      coverageError: null,
    })
  })

  it.each(planted)('reports $rule for $file with $source', async ({ rule, file, source, beside }) => {
    write({ ...beside, [file]: source })
    const { violations } = await checkBoundaries(root)
    expect(violations).toEqual([expect.stringMatching(`^${rule}: ${file} → `)])
  })

  it('has a planted violation for every rule', () => {
    expect(new Set(planted.map(({ rule }) => rule))).toEqual(new Set(ruleNames))
  })

  it('reports when there are no source files', async () => {
    for (const folder of ['contract', 'server', 'web']) {
      rmSync(join(root, folder, 'src'), { recursive: true })
      mkdirSync(join(root, folder, 'src'))
    }
    expect((await checkBoundaries(root)).coverageError).toBe('There are no source files to check.')
  })

  it('reports when no imports are found', async () => {
    for (const path of Object.keys(validTree)) if (/\.tsx?$/.test(path)) write({ [path]: '' })
    expect((await checkBoundaries(root)).coverageError).toBe('Only 0 imports were found in 9 files.')
  })
})

describe('the order of the features', () => {
  it('contains every feature of the server exactly once', () => {
    const folders = readdirSync(join(repository, 'server/src/features'))
    expect(featureOrder.toSorted()).toEqual(folders.toSorted())
  })

  it('is the one in docs/architecture.md', () => {
    const page = readFileSync(join(repository, 'docs/architecture.md'), 'utf8')
    const section = page.split('\n## ').find((part) => part.startsWith('Feature order\n')) ?? ''
    const documented = [...section.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name)
    expect(documented).toEqual(featureOrder)
  })
})
