import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { root } from '../../bin/pinned-node.mjs'
import { splitServerTests } from './server-tests.ts'
import { notOnTwoServers } from './two-servers.ts'

let folder: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lyceum-split-')))
})

afterEach(() => rmSync(folder, { recursive: true }))

const files = {
  'testing/test-database.ts': '',
  'testing/test-app.ts': `import {\n  create,\n} from './test-database.ts'\nimport './test-node.ts'`,
  'testing/test-node.ts': '',
  'testing/types.ts': `import type { App } from './test-app.ts'`,
  'testing/test-bucket.ts': '',
  'testing/test-opensearch.ts': '',
  'testing/test-redis.ts': '',
  'a/opensearch.test.ts': `import '#testing/test-opensearch.ts'\nimport { create } from '#testing/test-database.ts'`,
  'a/redis.test.ts': `import '#testing/test-redis.ts'\nimport { create } from '#testing/test-database.ts'`,
  'a/cluster.test.ts': `import '#testing/test-redis.ts'\nimport '#testing/test-bucket.ts'`,
  'a/bucket.test.ts': `import '#testing/test-bucket.ts'\nimport { create } from '#testing/test-database.ts'`,
  'a/direct.test.ts': `import { create } from '#testing/test-database.ts'`,
  'a/through-app.test.ts': `import { it } from 'vitest'\nimport { app } from '#testing/test-app.ts'`,
  'a/dynamic.test.ts': `const { app } = await import('../testing/test-app.ts')`,
  'a/none.test.ts': `import { it } from 'vitest'\nimport { b } from './none.ts'`,
  'a/types-only.test.ts': `import type { App } from '#testing/test-app.ts'\nimport '#testing/types.ts'`,
  'a/none.ts': `export { readFile } from 'node:fs'`,
}

it('separates the tests that reach a test database, a test bucket, OpenSearch or Redis from the others', () => {
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, 'server/src', path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
  expect(splitServerTests(folder)).toEqual({
    withDatabase: ['direct', 'dynamic', 'through-app'].map((name) => `server/src/a/${name}.test.ts`),
    withApp: ['dynamic', 'through-app'].map((name) => `server/src/a/${name}.test.ts`),
    withBucket: ['bucket', 'cluster'].map((name) => `server/src/a/${name}.test.ts`),
    withOpenSearch: ['server/src/a/opensearch.test.ts'],
    withRedis: ['server/src/a/redis.test.ts'],
    pure: ['none', 'types-only'].map((name) => `server/src/a/${name}.test.ts`),
  })
})

it('finds all kinds among the server’s tests', () => {
  const { withDatabase, withApp, withBucket, withOpenSearch, withRedis, pure } = splitServerTests(root)
  expect(withDatabase).toContain('server/src/app.test.ts')
  expect(withApp).toContain('server/src/app.test.ts')
  expect(withApp).not.toContain('server/src/crash.test.ts')
  expect(withApp).toEqual(expect.arrayContaining(Object.keys(notOnTwoServers)))
  expect(withBucket).toContain('server/src/providers/files/files.compliance.test.ts')
  expect(withOpenSearch).toContain('server/src/providers/passage-index/opensearch-index.test.ts')
  expect(withRedis).toContain('server/src/cluster/links.compliance.test.ts')
  expect(pure).toContain('server/src/env.test.ts')
  expect(pure).not.toContain('server/src/app.test.ts')
})
