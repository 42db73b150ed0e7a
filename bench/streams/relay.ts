// The baseline: passes the model's response to the client without reading or storing anything.
import { Agent, createServer, request } from 'node:http'

const { PORT, MODEL_URL } = process.env
const agent = new Agent({ keepAlive: true })

createServer((incoming, outgoing) => {
  if (incoming.method === 'GET') {
    outgoing.end()
    return
  }
  const upstream = request(
    `${MODEL_URL}/chat/completions`,
    { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
    (answer) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      answer.pipe(outgoing)
    },
  )
  upstream.once('error', () => outgoing.destroy())
  incoming.pipe(upstream)
}).listen(Number(PORT), '127.0.0.1')
