// Runs the model stand-in as a process: PORT to listen on, TOKENS per reply, DELAY_MS between tokens.
import { startModelStandIn } from '../../server/src/testing/model-stand-in.ts'
import { createReplyTokens } from './reply-text.ts'

const { PORT, TOKENS, DELAY_MS } = process.env

await startModelStandIn({
  port: Number(PORT),
  behavior: { text: createReplyTokens(Number(TOKENS)), delayMs: Number(DELAY_MS) },
})
