import { Redis } from 'ioredis'
import type { Logger } from 'pino'

/** How long a command may take, in milliseconds, unless it waits for something. */
const answerLimit = 300
/** After this time without an answer, in milliseconds, the connection counts as broken. */
const silenceLimit = 1000
const reconnectPause = 250
const connectLimit = 2000
/** Milliseconds after which the operating system asks whether the other end is still there. */
const keepAlive = 5000

/**
 * Redis did not answer, or refused a command. Has only a message, because the errors of the client contain all arguments,
 * such as passwords and the text of replies.
 */
export class RedisFailure extends Error {
  /** Whether Redis may have run the command, or still will. */
  readonly isUncertain: boolean
  constructor(message: string, isUncertain: boolean) {
    super(message)
    this.isUncertain = isUncertain
  }
}

function describeError({ message, code = '' }: Error & { code?: string }): string {
  // Redis repeats the arguments of a command that it does not know.
  return message.replace(/,? with args beginning with:.*$/s, '') || code
}

/** Waits for the answer to a command. Throws `RedisFailure` only. */
export async function askRedis<T>(command: Promise<T>): Promise<T> {
  try {
    return await command
  } catch (error) {
    const { name, message } = error as Error
    const isUncertain = name !== 'ReplyError' && !message.startsWith("Stream isn't writeable")
    throw new RedisFailure(describeError(error as Error), isUncertain)
  }
}

interface ConnectOptions {
  /** Names the connection, in the log and in Redis. */
  name: string
  /** How long commands wait in Redis, in milliseconds; 0 if they do not. */
  blockMs?: number
  log: Logger
}

/** Opens a connection that is opened again whenever it is lost. Meanwhile, all commands fail at once. */
export function connectRedis(url: string, { name, blockMs = 0, log }: ConnectOptions): Redis {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  const client = new Redis({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 6379),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    db: Number(pathname.slice(1)),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
    connectionName: `lyceum-${name}`,
    disableClientInfo: true,
    // With version 3, a server that does not know it would be sent the password in a command that it repeats.
    protocol: 2,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    // What waits delays nobody, so it may also take longer on a busy machine.
    commandTimeout: blockMs === 0 ? answerLimit : blockMs + silenceLimit,
    socketTimeout: blockMs + silenceLimit,
    connectTimeout: connectLimit,
    keepAlive,
    retryStrategy: () => reconnectPause,
  })
  let isAway = false
  client.on('error', (error) => {
    if (!isAway) log.warn({ connection: name, reason: describeError(error) }, 'Redis cannot be used')
    isAway = true
  })
  client.on('ready', () => {
    if (isAway) log.info({ connection: name }, 'Redis can be used again')
    isAway = false
  })
  return client
}
