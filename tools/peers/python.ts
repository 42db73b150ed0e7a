import { join } from 'node:path'
import { canInstall, install } from '../suites/debian.ts'
import { requireProgram, runProgram } from './process.ts'

/** Creates a Python environment in the folder and installs packages into it. The arguments are those of `pip install`. */
export function createPythonEnvironment(folder: string, packages: string[]): void {
  const python = requireProgram('python3')
  try {
    runProgram(python, ['-m', 'venv', '--clear', folder])
  } catch (error) {
    // Debian has the module in a package of its own.
    if (!canInstall()) throw error
    install('python3-venv')
    runProgram(python, ['-m', 'venv', '--clear', folder])
  }
  const pip = join(folder, 'bin', 'pip')
  runProgram(pip, ['install', '--quiet', '--disable-pip-version-check', ...packages])
}
