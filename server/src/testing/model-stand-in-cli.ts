// Starts the model stand-in manually: node server/src/testing/model-stand-in-cli.ts [port]
import { startModelStandIn } from './model-stand-in.ts'

const standIn = await startModelStandIn({ port: Number(process.argv[2] ?? 0), behavior: { delayMs: 15 } })
process.stdout.write(`Model stand-in: OPENAI_BASE_URL=${standIn.url}\n`)
