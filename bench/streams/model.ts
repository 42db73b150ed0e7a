// Runs the stand-in model as a process. The environment sets its port, tokens per reply and speed.
import { startModelStandIn } from '../../server/src/testing/model-stand-in.ts'

const { PORT, TOKENS, DELAY_MS } = process.env
// Words of two syllables, so that the citation check has nothing to hold back.
const text = Array.from({ length: Number(TOKENS) }, (_, at) => (at === 0 ? 'Alpha' : ` token${at % 10}`))

await startModelStandIn({ port: Number(PORT), behavior: { text, delayMs: Number(DELAY_MS) } })
