import { vi } from 'vitest'

// A machine that is busy with something else is slow, not broken. How long a test, a hook and `expect.poll` may take
// is said in the projects' settings; for these two Vitest has no setting and would give up after a second.
const patience = 20_000

const { waitFor, waitUntil } = vi
vi.waitFor = (check, options) => waitFor(check, { timeout: patience, ...named(options) })
vi.waitUntil = (check, options) => waitUntil(check, { timeout: patience, ...named(options) })

function named<Options extends object>(options: Options | number = {} as Options) {
  return typeof options === 'number' ? { timeout: options } : options
}
