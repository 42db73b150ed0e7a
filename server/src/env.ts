import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import * as z from 'zod'
import { isLongEnough, passphraseRule } from './backup/passphrase.ts'
import {
  formatS3Address,
  isBucketFolder,
  isBucketName,
  isS3Address,
  parseS3Address,
} from './lib/s3-address.ts'

const text = z
  .string()
  .optional()
  .transform((value) => (value?.trim() ? value.trim() : undefined))

/** Of questions or passages. */
const prefix = text.refine(
  (value) => value === undefined || value.length <= 500,
  'must have at most 500 characters',
)

function integer(fallback: number, lowest: number, highest: number) {
  return text.transform((value, context) => {
    if (value === undefined) return fallback
    const number = Number(value)
    if (Number.isInteger(number) && number >= lowest && number <= highest) return number
    context.addIssue({ code: 'custom', message: `must be a whole number from ${lowest} to ${highest}` })
    return z.NEVER
  })
}

function boolean(fallback: boolean) {
  return text.transform((value, context) => {
    if (value === undefined) return fallback
    if (value === 'true' || value === 'false') return value === 'true'
    context.addIssue({ code: 'custom', message: 'must be true or false' })
    return z.NEVER
  })
}

function url(protocols: readonly string[]) {
  return text.transform((value, context) => {
    if (value === undefined) return undefined
    const parsed = URL.parse(value)
    if (parsed && protocols.includes(parsed.protocol)) return value.replace(/\/+$/, '')
    context.addIssue({
      code: 'custom',
      message: `must be a URL that begins with ${protocols.join('// or ')}//`,
    })
    return z.NEVER
  })
}

const bucketName = text.refine(
  (value) => value === undefined || isBucketName(value),
  'must be the name of a bucket, without s3:// and without a folder',
)

const bucketFolder = text
  .transform((value) => value?.replace(/^\/+|\/+$/g, '') || undefined)
  .refine(
    (value) => value === undefined || isBucketFolder(value),
    'must be a folder in the bucket, of letters, digits, “.”, “_”, “-” and “/”, such as lyceum or team/lyceum',
  )

/** A value of `Contact` in security.txt (RFC 9116). */
const contact = text.refine(
  (value) => value === undefined || /^(?:https:\/\/|mailto:|tel:)[\x21-\x7e]+$/.test(value),
  'must be a URL that begins with https://, mailto: or tel:',
)

const list = text.transform((value) =>
  value
    ? value
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
    : [],
)

function listOf(isValid: (entry: string) => boolean, what: string) {
  return list.transform((entries, context) => {
    for (const entry of entries)
      if (!isValid(entry))
        context.addIssue({
          code: 'custom',
          message: `must be ${what}, separated by commas; “${entry}” is not valid`,
        })
    return entries
  })
}

const namedNetworks: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** An IP address, a network in CIDR notation, or one of the names that Fastify accepts. */
function isNetwork(entry: string): boolean {
  if (namedNetworks.has(entry)) return true
  const [address = '', bits] = entry.split(/\/(.*)/s)
  const family = isIP(address)
  if (family === 0 || bits === undefined) return family !== 0
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32)
}

/** Accepts an origin exactly as a browser sends it. Others, such as one with a trailing slash, would never match. */
function isOrigin(entry: string): boolean {
  const parsed = URL.parse(entry)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.origin === entry
}

const modelMap = text.transform((value, context) => {
  const map: Record<string, string> = {}
  for (const pair of value?.split(',') ?? []) {
    const [label, model] = pair.split('=', 2).map((part) => part.trim())
    if (label && model) map[label] = model
    else if (pair.trim() !== '')
      context.addIssue({ code: 'custom', message: 'must be label=model pairs, separated by commas' })
  }
  return map
})

/** Undefined if not set; empty for `none`. */
const modelNames = text.transform((value) =>
  value === undefined
    ? undefined
    : value
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && name !== 'none'),
)

const minute = 60_000
const units: Readonly<Record<string, number>> = { m: minute, h: 60 * minute, d: 24 * 60 * minute }

/** In milliseconds; null for `off`, undefined if not set. */
const interval = text.transform((value, context) => {
  if (value === undefined) return undefined
  if (value === 'off') return null
  const [, number, unit = ''] = /^(\d{1,4})([mhd])$/.exec(value) ?? []
  const length = Number(number) * (units[unit] ?? Number.NaN)
  if (length >= 10 * minute && length <= 7 * 24 * 60 * minute) return length
  context.addIssue({ code: 'custom', message: 'must be off, or 10m to 7d, such as 30m, 1h or 1d' })
  return z.NEVER
})

/** A path, or `s3://` with a bucket and perhaps a folder in it. */
const backupFolder = text.transform((value, context) => {
  if (value === undefined || !isS3Address(value)) return value && resolve(value)
  const address = parseS3Address(value)
  if (address !== null) return formatS3Address(address)
  context.addIssue({
    code: 'custom',
    message:
      'must be a folder, or a bucket such as s3://bucket or s3://bucket/lyceum, of letters, digits, “.”, “_” and “-”',
  })
  return z.NEVER
})

/** A URL of a server and its base path, which may contain a user name and a password. */
const openSearchUrl = url(['http:', 'https:']).transform((value, context) => {
  if (value === undefined) return undefined
  const { username, password } = new URL(value)
  const isEncoded = [username, password].every((part) => !/%(?![\da-f]{2})/i.test(part))
  if (isEncoded && !/[?#]/.test(value)) return value
  context.addIssue({
    code: 'custom',
    message: isEncoded ? 'must not contain ? or #' : 'must have a % in the password written as %25',
  })
  return z.NEVER
})

/** One server, perhaps with a user name, a password and the number of a database. */
const redisUrl = text.transform((value, context) => {
  if (value === undefined) return undefined
  const parsed = URL.parse(value)
  const isServer = parsed !== null && /^rediss?:$/.test(parsed.protocol) && /^[^,]+$/.test(parsed.hostname)
  const isEncoded = !/%(?![\da-f]{2})/i.test(`${parsed?.username}${parsed?.password}`)
  if (isServer && isEncoded && /^\/?\d{0,4}$/.test(parsed.pathname) && !/[?#]/.test(value)) return value
  context.addIssue({
    code: 'custom',
    message: isEncoded
      ? 'must be the address of one server, such as rediss://user:password@redis.example.org:6379; Sentinel and Redis Cluster are not supported'
      : 'must have a % in the password written as %25',
  })
  return z.NEVER
})

/** OpenSearch allows more, but not in all places. */
const indexName = text.refine(
  (value) => value === undefined || /^[a-z0-9][a-z0-9_-]{0,99}$/.test(value),
  'must be a name of lower-case letters, digits, “_” and “-”',
)

const redisPrefix = text.refine(
  (value) => value === undefined || /^[a-z0-9_-]{1,50}$/.test(value),
  'must be a name of lower-case letters, digits, “_” and “-”',
)

/** In seconds: longer than load balancers need to notice, and than most replies take. */
const defaultDrain = 25

const withDatabaseOnly = ['SEARCH', 'DATABASE_DIRECT_URL'] as const
/** What the servers of a cluster cannot each have on their own. */
const neededByCluster = ['DATABASE_URL', 'S3_BUCKET', 'SECRETS_FILE', 'SMTP_URL'] as const

const settings = z.object({
  PORT: integer(3000, 0, 65_535),
  HOST: text.transform((value) => value ?? '127.0.0.1'),
  DATA_DIR: text.transform((value) => (value && isAbsolute(value) ? value : resolve(value ?? 'data'))),
  // Links are built by appending a path.
  PUBLIC_URL: url(['http:', 'https:']).refine(
    (value) => value === undefined || !/[?#]/.test(value),
    'must not contain ? or #',
  ),
  OWNER_EMAIL: text.pipe(z.email('must be an email address').toLowerCase().optional()),
  SMTP_URL: url(['smtp:', 'smtps:']),
  SMTP_FROM: text.pipe(z.email('must be an email address').optional()),
  OPENAI_API_KEY: text,
  OPENAI_BASE_URL: url(['http:', 'https:']),
  ASSISTANTS_BASE_URL: url(['http:', 'https:']),
  ASSISTANTS_API_KEY: text,
  /** Unset: the endpoint of the model. */
  EMBEDDING_BASE_URL: url(['http:', 'https:']),
  EMBEDDING_API_KEY: text,
  EMBEDDING_MODEL: text,
  EMBEDDING_QUERY_PREFIX: prefix,
  EMBEDDING_PASSAGE_PREFIX: prefix,
  RERANK_URL: url(['http:', 'https:']),
  RERANK_API_KEY: text,
  RERANK_MODEL: text,
  MODEL_MAP: modelMap,
  PICTURE_MODELS: modelNames,
  DATABASE_URL: url(['postgres:', 'postgresql:']),
  DATABASE_DIRECT_URL: url(['postgres:', 'postgresql:']),
  // At the start of a burst of messages, four connections are busy with them.
  DATABASE_POOL: integer(10, 5, 200),
  SECRETS_FILE: text,
  /** Whether this is one of several servers on the same database. */
  CLUSTER: boolean(false),
  NODE_NAME: text.transform((value) => value ?? hostname()),
  /** `web`: runs no jobs. `worker`: runs jobs, and serves nothing but its health. */
  RUN: text.pipe(z.enum(['all', 'web', 'worker'], 'must be all, web or worker').default('all')),
  DRAIN_SECONDS: integer(defaultDrain, 0, 600),
  S3_BUCKET: bucketName,
  S3_PREFIX: bucketFolder,
  S3_ENDPOINT: url(['http:', 'https:']).refine(
    (value) => value === undefined || !/[?#@]/.test(value),
    'must not contain ?, # or a password',
  ),
  S3_FORCE_PATH_STYLE: boolean(false),
  /** The AWS client reads its other variables itself. */
  AWS_REGION: text,
  TRUSTED_PROXIES: listOf(isNetwork, 'addresses or networks such as 127.0.0.1 or 10.0.0.0/8'),
  CORS_ORIGINS: listOf(isOrigin, 'origins such as https://app.example.org, without a trailing slash'),
  MAX_DOCUMENT_MB: integer(20, 1, 500),
  PASSWORD_MIN_LENGTH: integer(8, 8, 256),
  BREACHED_PASSWORDS_URL: url(['http:', 'https:']),
  RETAIN_CHATS: boolean(false),
  RESET_REQUIRES_LOGIN: boolean(false),
  RATE_LIMIT_SCALE: text.transform((value, context) => {
    const scale = Number(value ?? 1)
    if (scale > 0 && Number.isFinite(scale)) return scale
    context.addIssue({ code: 'custom', message: 'must be a number above 0' })
    return z.NEVER
  }),
  BACKUP_DIR: backupFolder,
  BACKUP_EVERY: interval,
  BACKUP_PASSPHRASE: text.refine((value) => value === undefined || isLongEnough(value), passphraseRule),
  BACKUP_BEFORE_UPGRADE: boolean(true),
  METRICS_TOKEN: text,
  SECURITY_CONTACT: contact,
  /** Unset: `warn` at a terminal, otherwise `info`. */
  LOG_LEVEL: text.pipe(z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional()),
  FAULT_POINT: text,
  /** Where passages are searched without OPENSEARCH_URL. Unset: in a SQLite file. */
  SEARCH: text.pipe(z.literal('postgres', 'must be postgres, or unset').optional()),
  OPENSEARCH_URL: openSearchUrl,
  OPENSEARCH_INDEX: indexName,
  /** Carries what the servers of a cluster tell each other, instead of PostgreSQL. */
  REDIS_URL: redisUrl,
  REDIS_PREFIX: redisPrefix,
})

const schema = settings.superRefine((env, context) => {
  function refuse(name: keyof typeof env, message: string): void {
    context.addIssue({ code: 'custom', path: [name], message })
  }
  if (env.CLUSTER)
    for (const name of neededByCluster) if (!env[name]) refuse(name, 'must be set when CLUSTER is true')
  if (!env.CLUSTER && env.RUN !== 'all') refuse('RUN', 'must be all, or unset, unless CLUSTER is true')
  if (env.DATABASE_URL === undefined)
    for (const name of withDatabaseOnly) if (env[name]) refuse(name, 'must be unset without DATABASE_URL')
  if (env.OPENSEARCH_URL !== undefined && env.SEARCH !== undefined)
    refuse('SEARCH', 'must be unset when OPENSEARCH_URL is set')
  if (env.OPENSEARCH_URL === undefined && env.OPENSEARCH_INDEX !== undefined)
    refuse('OPENSEARCH_INDEX', 'has no effect without OPENSEARCH_URL')
  if (!env.CLUSTER && env.REDIS_URL !== undefined)
    refuse('REDIS_URL', 'must be unset unless CLUSTER is true: a single server shares nothing')
  if (env.REDIS_URL === undefined && env.REDIS_PREFIX !== undefined)
    refuse('REDIS_PREFIX', 'has no effect without REDIS_URL')
  if (env.EMBEDDING_BASE_URL !== undefined && env.EMBEDDING_MODEL === undefined)
    refuse('EMBEDDING_MODEL', 'must be set when EMBEDDING_BASE_URL is set')
  if (env.EMBEDDING_BASE_URL === undefined && env.EMBEDDING_API_KEY !== undefined)
    refuse('EMBEDDING_API_KEY', 'has no effect without EMBEDDING_BASE_URL')
  for (const name of ['RERANK_API_KEY', 'RERANK_MODEL'] as const)
    if (env.RERANK_URL === undefined && env[name] !== undefined)
      refuse(name, 'has no effect without RERANK_URL')
  if (env.S3_BUCKET === undefined && env.S3_PREFIX !== undefined)
    refuse('S3_PREFIX', 'has no effect without S3_BUCKET')
})

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(settings.shape)

export type Env = ReturnType<typeof readEnv>

/** Some settings are invalid. The message has one sentence per setting. */
export class EnvError extends Error {}

/** Reads and validates the environment. Nothing else in the server reads it. */
export function readEnv(source: NodeJS.ProcessEnv = process.env) {
  const read = schema.safeParse(source)
  if (!read.success)
    throw new EnvError(
      read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`).join('\n'),
    )
  const env = read.data
  return {
    ...env,
    // Different only behind a pooler that moves connections between its clients.
    DATABASE_DIRECT_URL: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    SEARCH: env.CLUSTER && env.OPENSEARCH_URL === undefined ? 'postgres' : env.SEARCH,
    OPENSEARCH_INDEX: env.OPENSEARCH_INDEX ?? 'lyceum-passages',
    REDIS_PREFIX: env.REDIS_PREFIX ?? 'lyceum',
    PUBLIC_URL: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    BACKUP_DIR: env.BACKUP_DIR ?? join(env.DATA_DIR, 'backups'),
    // Off by default on PostgreSQL, whose operators usually have backup tools of their own.
    BACKUP_EVERY: env.BACKUP_EVERY === undefined ? (env.DATABASE_URL ? null : 60 * minute) : env.BACKUP_EVERY,
  }
}
