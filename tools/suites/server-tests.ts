import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'

export type ServerTests = { withDatabase: string[]; pure: string[] }

/** The only module that reads which database a test runs on. */
const databaseModule = 'server/src/testing/test-database.ts'

/** `import … from`, `export … from`, `import '…'` and `import('…')`; types are erased before the test runs. */
const imports = /(?:^|\n)(?:import|export)\s(?!type\b)[^'"]*?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g

/**
 * Splits the server's test files by their imports. Those that reach the test database, directly or through other modules,
 * run on each database; the others run once.
 */
export function splitServerTests(root: string): ServerTests {
  const paths = globSync('server/src/**/*.test.ts', { cwd: root })
  const known = new Map<string, string[]>()

  function importsOf(file: string): string[] {
    const found = known.get(file) ?? readImports(root, file)
    known.set(file, found)
    return found
  }

  function usesDatabase(file: string): boolean {
    const seen = new Set([file])
    // A set also visits what is added during the iteration.
    for (const module of seen) for (const next of importsOf(module)) seen.add(next)
    return seen.has(databaseModule)
  }

  const files = paths.map((path) => path.split(sep).join('/')).sort()
  const withDatabase = files.filter(usesDatabase)
  return { withDatabase, pure: files.filter((file) => !withDatabase.includes(file)) }
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
