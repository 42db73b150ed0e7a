// The model stand-in as a process of its own: PORT says where, and the environment how many tokens at what pace.
import { startModelStandIn } from '../../server/src/testing/model-stand-in.ts'

const { PORT, TOKENS, DELAY_MS } = process.env
// Words of two syllables, so that no checker of citations finds anything to hold back.
const text = Array.from({ length: Number(TOKENS) }, (_, at) => (at === 0 ? 'Alpha' : ` token${at % 10}`))

await startModelStandIn({ port: Number(PORT), behaviour: { text, delayMs: Number(DELAY_MS) } })
