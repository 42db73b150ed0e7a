import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'

export type ServerTests = {
  withDatabase: string[]
  /** Those of them that use the complete server. */
  withApp: string[]
  withBucket: string[]
  withOpenSearch: string[]
  withRedis: string[]
  pure: string[]
}

/** The only module that reads which database a test runs on. */
const databaseModule = 'server/src/testing/test-database.ts'
/** The only module that reads how many servers a test application consists of. */
const nodesModule = 'server/src/testing/test-node.ts'
/** The only module that reads which S3 server a test uses. */
const bucketModule = 'server/src/testing/test-bucket.ts'
/** The only module that reads where OpenSearch is. */
const openSearchModule = 'server/src/testing/test-opensearch.ts'

/** The only module that starts Redis. */
const redisModule = 'server/src/testing/test-redis.ts'

/** `import … from`, `export … from`, `import '…'` and `import('…')`; types are erased before the test runs. */
const imports = /(?:^|\n)(?:import|export)\s(?!type\b)[^'"]*?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g

/**
 * Splits the server's test files by their imports. Those that reach the test database, directly or through other modules,
 * run on each database; the others run once. Those that reach a test bucket, OpenSearch or Redis also run once, with that
 * server.
 */
export function splitServerTests(root: string): ServerTests {
  const paths = globSync('server/src/**/*.test.ts', { cwd: root })
  const known = new Map<string, string[]>()

  function importsOf(file: string): string[] {
    const found = known.get(file) ?? readImports(root, file)
    known.set(file, found)
    return found
  }

  function reaches(file: string, target: string): boolean {
    const seen = new Set([file])
    // A set also visits what is added during the iteration.
    for (const module of seen) for (const next of importsOf(module)) seen.add(next)
    return seen.has(target)
  }

  const files = paths.map((path) => path.split(sep).join('/')).sort()
  const withBucket = files.filter((file) => reaches(file, bucketModule))
  const withOpenSearch = files.filter((file) => reaches(file, openSearchModule))
  const withRedis = files.filter((file) => reaches(file, redisModule) && !withBucket.includes(file))
  const once = new Set([...withBucket, ...withOpenSearch, ...withRedis])
  const others = files.filter((file) => !once.has(file))
  const withDatabase = others.filter((file) => reaches(file, databaseModule))
  const withApp = withDatabase.filter((file) => reaches(file, nodesModule))
  const pure = others.filter((file) => !withDatabase.includes(file))
  return { withDatabase, withApp, withBucket, withOpenSearch, withRedis, pure }
}

function readImports(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(imports)].flatMap(({ 1: fixed, 2: dynamic }) => {
    const target = fixed ?? dynamic ?? ''
    if (!target.endsWith('.ts')) return []
    if (target.startsWith('#')) return [`server/src/${target.slice(1)}`]
    return target.startsWith('.') ? [posix.join(dirname(file), target)] : []
  })
}
