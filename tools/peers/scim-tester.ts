import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../../bin/pinned-node.mjs'
import { createPythonEnvironment } from './python.ts'

const requirements = fileURLToPath(new URL('scim-tester-requirements.txt', import.meta.url))
const environment = join(root, 'node_modules', '.cache', 'scim-tester')
const complete = join(environment, '.complete')

/** Installs scim2-tester into a Python environment of its own, once for each checkout. */
export function requireScimTester(): string {
  const program = join(environment, 'bin', 'scim2')
  if (existsSync(complete)) return program
  try {
    createPythonEnvironment(environment, ['--requirement', requirements])
  } catch (cause) {
    throw new Error(
      'This test needs scim2-tester, which could not be installed with Python’s venv and pip.',
      {
        cause,
      },
    )
  }
  writeFileSync(complete, '')
  return program
}

export interface ScimReport {
  exitCode: number | null
  /** One line for each check. */
  output: string
  successes: number
  /** The checks that failed or were skipped, with their reasons. */
  others: string[]
}

/** Runs all checks against a server. */
export function runScimTester(program: string, url: string, key: string): ScimReport {
  const { status, stdout, stderr } = spawnSync(program, ['--url', url, 'test'], {
    encoding: 'utf8',
    env: { ...process.env, SCIM_CLI_HEADERS: `Authorization: Bearer ${key}` },
  })
  const output = stripVTControlCharacters(stdout + stderr)
  const checks = output.split(/^(?=[A-Z]+ \w)/m).filter((part) => /^[A-Z]+ /.test(part))
  return {
    exitCode: status,
    output,
    successes: checks.filter((check) => check.startsWith('SUCCESS ')).length,
    others: checks.filter((check) => !check.startsWith('SUCCESS ')),
  }
}
