import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../bin/pinned-node.mjs'
import { biome } from '../paths.ts'

/** One violation for each rule that we rely on. Biome reports all plugins under one category. */
const planted: Record<string, { file: string; source: string; category?: string }> = {
  'lint/nursery/noFloatingPromises': {
    file: 'server/src/floating.ts',
    source: `async function go() {}\nexport function run() {\n  go()\n}`,
  },
  'lint/nursery/noMisusedPromises': {
    file: 'server/src/misused.ts',
    source: `async function go() {}\nexport const a = () => (go() ? 1 : 2)`,
  },
  'lint/nursery/useExhaustiveSwitchCases': {
    file: 'server/src/exhaustive.ts',
    source: `export function run(a: 'x' | 'y') {\n  switch (a) {\n    case 'x':\n      return 1\n  }\n  return 2\n}`,
  },
  'lint/suspicious/noExplicitAny': { file: 'server/src/any.ts', source: 'export const a: any = 1' },
  'lint/suspicious/noConsole': { file: 'server/src/console.ts', source: `console.log('hello')` },
  'lint/suspicious/noImportCycles': {
    file: 'server/src/cycle.ts',
    source: `import { a } from './cycle-back.ts'\nexport const b = () => a`,
  },
  'lint/style/noDefaultExport': { file: 'web/src/default.ts', source: 'export default 1' },
  'lint/style/noNonNullAssertion': {
    file: 'web/src/non-null.ts',
    source: 'export const a = (b?: string) => b!.length',
  },
  'lint/style/noProcessEnv': {
    file: 'server/src/process.ts',
    source: `export const a = process.env['HOME']`,
  },
  'lint/style/noExcessiveLinesPerFile': {
    file: 'server/src/long-file.ts',
    source: Array.from({ length: 401 }, (_, at) => `export const a${at} = 1`).join('\n'),
  },
  'lint/complexity/noExcessiveLinesPerFunction': {
    file: 'server/src/long-function.ts',
    source: `export function run() {\n  let a = 0\n${'  a += 1\n'.repeat(121)}  return a\n}`,
  },
  'lint/performance/noBarrelFile': { file: 'web/src/barrel.ts', source: `export { a } from './other.ts'` },
  'lint/security/noDangerouslySetInnerHtml': {
    file: 'web/src/Html.tsx',
    source: 'export const Html = () => <div dangerouslySetInnerHTML={{ __html: location.href }} />',
  },
  'lint/correctness/useHookAtTopLevel': {
    file: 'web/src/Hook.tsx',
    source: `import { useState } from 'react'\nexport function Hook({ on }: { on: boolean }) {\n  if (on) useState(1)\n  return null\n}`,
  },
  'lint/correctness/useExhaustiveDependencies': {
    file: 'web/src/Effect.tsx',
    source: `import { useEffect } from 'react'\nexport function Effect({ title }: { title: string }) {\n  useEffect(() => {\n    document.title = title\n  }, [])\n  return null\n}`,
  },
  'lint/nursery/noPlaywrightWaitForTimeout': {
    file: 'e2e/sleep.test.ts',
    source: `import { expect, test } from '@playwright/test'\ntest('a', async ({ page }) => {\n  await page.waitForTimeout(100)\n  await expect(page).toHaveTitle('')\n})`,
  },
  'one-environment': {
    file: 'web/src/env.ts',
    source: 'export const a = import.meta.env.DEV',
    category: 'plugin',
  },
  'named-functions': {
    file: 'server/src/arrow.ts',
    source: 'export const double = (a: number) => a * 2',
    category: 'plugin',
  },
}

const others = {
  'server/src/cycle-back.ts': `import { b } from './cycle.ts'\nexport function a() {\n  return b\n}`,
}

const allowed = {
  'server/src/env.ts': `export const a = process.env['HOME']`,
  'server/src/main.ts': `console.log('hello')`,
  'web/vite.config.ts': 'export default {}',
  'web/src/theme/product.ts': 'export const a = import.meta.env',
}

type Report = { diagnostics: { category: string; severity: string; location: { path: string } }[] }

let tree: string
let found: Map<string, string[]>

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'lyceum-lint-'))
  cpSync(join(root, 'biome.json'), join(tree, 'biome.json'))
  for (const rule of ['one-environment.grit', 'named-functions.grit']) {
    cpSync(join(root, 'tools/checks', rule), join(tree, 'tools/checks', rule))
  }
  // Biome treats an empty file as a missing one.
  writeFileSync(join(tree, '.gitignore'), 'node_modules/\n')
  const files = {
    ...others,
    ...allowed,
    ...Object.fromEntries(Object.values(planted).map((it) => [it.file, it.source])),
  }
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), source)
  }
  const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.']
  const { stdout } = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as Report
  found = new Map()
  for (const { category, severity, location } of diagnostics) {
    if (severity !== 'error') continue
    found.set(location.path, [...(found.get(location.path) ?? []), category])
  }
})

afterAll(() => rmSync(tree, { recursive: true }))

describe('the linter', () => {
  it.each(Object.entries(planted))('rejects %s', (rule, { file, category = rule }) => {
    expect(found.get(file)).toContain(category)
  })

  it.each(Object.keys(allowed))('allows %s', (file) => {
    expect(found.get(file)).toBeUndefined()
  })
})
