import { vi } from 'vitest'

// A busy machine is slow, not broken. The projects' settings limit tests, hooks and `expect.poll`; for these two
// functions Vitest has no setting and would give up after a second.
const waitTimeout = 20_000

const { waitFor, waitUntil } = vi
vi.waitFor = (check, options) => waitFor(check, { timeout: waitTimeout, ...toOptions(options) })
vi.waitUntil = (check, options) => waitUntil(check, { timeout: waitTimeout, ...toOptions(options) })

function toOptions<Options extends object>(options: Options | number = {} as Options) {
  return typeof options === 'number' ? { timeout: options } : options
}
