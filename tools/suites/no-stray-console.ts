import { afterEach } from 'vitest'

// Output on the console is either an unnoticed fault or noise that hides the next one.
// A test that expects output installs its own spy.
const stray: string[] = []
for (const method of ['error', 'warn'] as const) {
  console[method] = (...args: unknown[]) => void stray.push(`console.${method}: ${args.join(' ')}`)
}

afterEach(() => {
  const lines = stray.splice(0)
  if (lines.length > 0) throw new Error(lines.join('\n'))
})
