// The model stand-in as a process of its own: PORT says where, TOKENS how long its reply is, DELAY_MS its pace.
import { startModelStandIn } from '../../server/src/testing/model-stand-in.ts'
import { tokensOf } from './reply-text.ts'

const { PORT, TOKENS, DELAY_MS } = process.env

await startModelStandIn({
  port: Number(PORT),
  behaviour: { text: tokensOf(Number(TOKENS)), delayMs: Number(DELAY_MS) },
})
