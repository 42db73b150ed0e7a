import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import rules from '../../.dependency-cruiser.mjs'

export type BoundaryReport = {
  violations: string[]
  files: number
  imports: number
  coverageError: string | null
}

const checkedFolders = ['contract/src', 'server/src', 'web/src']

/** Follows every import below `root` and lists those that break a rule of .dependency-cruiser.mjs. */
export async function checkBoundaries(root: string): Promise<BoundaryReport> {
  const { output } = await cruise(checkedFolders, {
    ...rules.options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: rules.forbidden },
  })
  if (typeof output === 'string') throw new Error('dependency-cruiser returned text instead of a result')

  const seen = new Map(output.modules.map((module) => [module.source, module.dependencies.length]))
  const sourceFiles = checkedFolders.flatMap((folder) => listSourceFiles(root, folder))
  const unseen = sourceFiles.filter((path) => !seen.has(path))
  const imports = sourceFiles.reduce((sum, path) => sum + (seen.get(path) ?? 0), 0)
  return {
    violations: listViolations(output),
    files: sourceFiles.length,
    imports,
    coverageError: findCoverageError(sourceFiles.length, unseen, imports),
  }
}

export const ruleNames = rules.forbidden.map((rule) => rule.name)

/** If dependency-cruiser cannot read TypeScript, it finds no modules and reports success, so we check its coverage. */
function findCoverageError(fileCount: number, unseen: string[], imports: number): string | null {
  if (fileCount === 0) return 'There are no source files to check.'
  if (unseen.length > 0) return `${unseen.length} source files were not checked, for example ${unseen[0]}.`
  if (imports < fileCount / 2) return `Only ${imports} imports were found in ${fileCount} files.`
  return null
}

function listViolations(output: ICruiseResult): string[] {
  const lines = output.summary.violations.map(({ rule, from, to, cycle }) => {
    const end = cycle ? cycle.map((step) => step.name).join(' → ') : to
    return `${rule.name}: ${from} → ${end}`
  })
  return [...new Set(lines)].sort()
}

function listSourceFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
}
