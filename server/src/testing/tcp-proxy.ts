import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * What happens to a lost answer: the connection is cut or stays silent. With `late`, the connection is cut first, and
 * PostgreSQL receives the request a moment later.
 */
type LostAnswer = 'cut' | 'silence' | 'late'

const latenessMs = 500
const rememberedLength = 2000

/** A proxy in front of PostgreSQL, or of our own server, that fails like a network. Faults apply to all connections. */
export interface TcpProxy {
  /** The same address, through the proxy. */
  throughProxy(url: string): string
  connectionCount(): number
  cutAll(): void
  /** Cuts our ends only, so that PostgreSQL does not notice. */
  cutOurEnds(): void
  /** Cuts every new connection once it has carried this many bytes in either direction; null stops doing so. */
  cutAfter(bytes: number | null): void
  /** Accepts connections but moves nothing, in both directions, until `thaw`. */
  freeze(): void
  thaw(): void
  /** Loses what arrives over the existing connections from now on, or over those whose last request contains a text. */
  muteAll(request?: string): void
  /** Holds back everything for this many milliseconds. */
  delay(ms: number): void
  /** Refuses new connections until `accept`. */
  refuse(): Promise<void>
  accept(): Promise<void>
  /**
   * Loses the answer to the COMMIT of the next transaction that contains this piece of SQL. Resolves once PostgreSQL has
   * committed.
   */
  loseNextCommit(kind: LostAnswer, statement?: string): Promise<void>
  /** Loses the answers to the next statements that contain this text. Resolves once the last has been answered. */
  loseNextAnswers(kind: LostAnswer, statement: string, count?: number): Promise<void>
  close(): Promise<void>
}

interface Pair {
  client: Socket
  server: Socket
  bytes: number
  /** The beginning of what was sent since the last answer. */
  lastRequest: string
  isAnswered: boolean
  /** Whether the open transaction is the one whose COMMIT gets lost. */
  isLosing: boolean
  /** What happens to the next answer of PostgreSQL. */
  answer: 'forward' | LostAnswer
}

interface Target {
  host: string
  port: number
}

function readTarget(url: string): Target {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port || 5432) }
}

export async function startTcpProxy(url: string): Promise<TcpProxy> {
  const target = readTarget(url)
  const pairs = new Set<Pair>()
  /** Connections to PostgreSQL whose other end is gone. */
  const abandoned = new Set<Socket>()
  let isFrozen = false
  let delayMs = 0
  let byteLimit: number | null = null
  let loss: {
    statement: string
    isOfCommit: boolean
    kind: LostAnswer
    left: number
    lost: () => void
  } | null = null

  function cut({ client, server }: Pair): void {
    client.resetAndDestroy()
    server.destroy()
  }

  function abandon({ client, server }: Pair): void {
    abandoned.add(server)
    client.resetAndDestroy()
  }

  function write(pair: Pair, to: Socket, chunk: Buffer): void {
    if (to.destroyed) return
    to.write(chunk)
    pair.bytes += chunk.length
    if (byteLimit !== null && pair.bytes > byteLimit) cut(pair)
  }

  function send(pair: Pair, to: Socket, chunk: Buffer): void {
    if (delayMs === 0) write(pair, to, chunk)
    else setTimeout(() => write(pair, to, chunk), delayMs)
  }

  function sendLate(pair: Pair, chunk: Buffer): void {
    abandon(pair)
    setTimeout(() => write(pair, pair.server, chunk), latenessMs)
  }

  function onRequest(pair: Pair, chunk: Buffer): void {
    if (pair.isAnswered) pair.lastRequest = ''
    pair.isAnswered = false
    if (pair.lastRequest.length < rememberedLength)
      pair.lastRequest += chunk.toString('latin1', 0, rememberedLength)
    if (loss && chunk.includes(loss.statement)) pair.isLosing = true
    if (chunk.includes('rollback\0')) pair.isLosing = false
    if (loss && pair.isLosing && (!loss.isOfCommit || chunk.includes('commit\0'))) pair.answer = loss.kind
    if (pair.answer === 'late') sendLate(pair, chunk)
    else send(pair, pair.server, chunk)
  }

  function onAnswer(pair: Pair, chunk: Buffer): void {
    pair.isAnswered = true
    if (pair.answer === 'forward') {
      send(pair, pair.client, chunk)
      return
    }
    if (loss) loss.left -= 1
    if (loss?.left === 0) {
      loss.lost()
      loss = null
    }
    if (pair.answer === 'cut') cut(pair)
  }

  const proxy = createServer((client) => {
    const server = connect(target)
    const pair: Pair = {
      client,
      server,
      bytes: 0,
      lastRequest: '',
      isAnswered: true,
      isLosing: false,
      answer: 'forward',
    }
    pairs.add(pair)
    client.on('data', (chunk: Buffer) => onRequest(pair, chunk))
    server.on('data', (chunk: Buffer) => onAnswer(pair, chunk))
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      if (isFrozen) socket.pause()
      // Both ends are closed by `close`, which follows every error.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        pairs.delete(pair)
        client.destroy()
        if (!abandoned.has(server)) server.destroy()
      })
    }
  })
  let port = 0
  async function listen(): Promise<void> {
    proxy.listen(port, '127.0.0.1')
    await once(proxy, 'listening')
    const address = proxy.address()
    if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
    port = address.port
  }
  await listen()

  return {
    throughProxy(through) {
      const url = new URL(through)
      url.hostname = '127.0.0.1'
      url.port = String(port)
      return url.href
    },
    connectionCount: () => pairs.size,
    cutAll() {
      for (const pair of [...pairs]) cut(pair)
    },
    cutOurEnds() {
      for (const pair of [...pairs]) abandon(pair)
    },
    cutAfter(bytes) {
      byteLimit = bytes
    },
    freeze() {
      isFrozen = true
      for (const { client, server } of pairs) for (const socket of [client, server]) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const { client, server } of pairs) for (const socket of [client, server]) socket.resume()
    },
    muteAll(request = '') {
      for (const pair of pairs) if (pair.lastRequest.includes(request)) pair.answer = 'silence'
    },
    delay(ms) {
      delayMs = ms
    },
    async refuse() {
      // Existing connections stay open; `close` waits for them, so only its first effect is awaited.
      proxy.close()
    },
    accept: listen,
    loseNextCommit(kind, statement = '') {
      return new Promise((lost) => {
        loss = { statement, isOfCommit: true, kind, left: 1, lost }
      })
    },
    loseNextAnswers(kind, statement, count = 1) {
      return new Promise((lost) => {
        loss = { statement, isOfCommit: false, kind, left: count, lost }
      })
    },
    async close() {
      for (const pair of [...pairs]) cut(pair)
      for (const server of abandoned) server.destroy()
      if (proxy.listening) proxy.close()
    },
  }
}
