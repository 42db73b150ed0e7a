// Runs the model stand-in as a process. The environment sets its port, tokens per reply and speed.
import { startModelStandIn } from '../../server/src/testing/model-stand-in.ts'

const { PORT, TOKENS, DELAY_MS } = process.env
// No brackets and no trailing spaces: the citation parser holds those back, which would delay the text.
const text = Array.from({ length: Number(TOKENS) }, (_, at) => (at === 0 ? 'Alpha' : ` token${at % 10}`))

await startModelStandIn({ port: Number(PORT), behavior: { text, delayMs: Number(DELAY_MS) } })
