import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { EnvError, readEnv } from './env.ts'

function readErrors(source: Record<string, string>): string {
  try {
    readEnv(source)
  } catch (error) {
    if (error instanceof EnvError) return error.message
    throw error
  }
  return ''
}

describe('the settings', () => {
  it('have defaults', () => {
    const env = readEnv({})
    expect(env).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      PUBLIC_URL: 'http://localhost:3000',
    })
    expect(env.DATA_DIR).toMatch(/[/\\]data$/)
  })

  it('treat an empty value as unset', () => {
    expect(readEnv({ PORT: '', SMTP_URL: ' ' })).toMatchObject({ PORT: 3000, SMTP_URL: undefined })
  })

  it.each([
    [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PUBLIC_URL: 'lyceum.example.org' }, 'PUBLIC_URL must be a URL that begins with http:// or https://.'],
    [
      { DATABASE_URL: 'mysql://x' },
      'DATABASE_URL must be a URL that begins with postgres:// or postgresql://.',
    ],
    [{ DATABASE_POOL: '4' }, 'DATABASE_POOL must be a whole number from 5 to 200.'],
    [{ DATABASE_DIRECT_URL: 'postgres://x' }, 'DATABASE_DIRECT_URL must be unset without DATABASE_URL.'],
    [{ PUBLIC_URL: 'https://lyceum.example.org/?a=b' }, 'PUBLIC_URL must not contain ? or #.'],
    [{ TRUSTED_PROXIES: '127.0.0.1, proxy' }, 'TRUSTED_PROXIES must be addresses or networks such as'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, '“10.0.0.0/33” is not valid.'],
    [{ TRUSTED_PROXIES: '10.0.0.0/8/8' }, '“10.0.0.0/8/8” is not valid.'],
    [{ CORS_ORIGINS: 'app.example.org' }, 'CORS_ORIGINS must be origins such as https://app.example.org'],
    [{ CORS_ORIGINS: 'https://a.example, https://b.example/' }, '“https://b.example/” is not valid.'],
    [{ CORS_ORIGINS: '*' }, '“*” is not valid.'],
    [{ OWNER_EMAIL: 'owner' }, 'OWNER_EMAIL must be an email address.'],
    [
      { SECURITY_CONTACT: 'security@example.org' },
      'SECURITY_CONTACT must be a URL that begins with https://,',
    ],
    [{ SECURITY_CONTACT: 'mailto:a@example.org\nExpires: never' }, 'SECURITY_CONTACT must be a URL'],
    [{ RETAIN_CHATS: 'yes' }, 'RETAIN_CHATS must be true or false.'],
    [{ BACKUP_EVERY: '5s' }, 'BACKUP_EVERY must be off, or 10m to 7d, such as 30m, 1h or 1d.'],
    [{ BACKUP_PASSPHRASE: 'short' }, 'BACKUP_PASSPHRASE must have at least 12 characters.'],
    [{ RATE_LIMIT_SCALE: '0' }, 'RATE_LIMIT_SCALE must be a number above 0.'],
    [{ MODEL_MAP: 'gpt-4o' }, 'MODEL_MAP must be label=model pairs, separated by commas.'],
    [{ DRAIN_SECONDS: '25s' }, 'DRAIN_SECONDS must be a whole number from 0 to 600.'],
    [{ RUN: 'jobs' }, 'RUN must be all, web or worker.'],
    [{ RUN: 'web' }, 'RUN must be all, or unset, unless CLUSTER is true.'],
    [{ RUN: 'worker' }, 'RUN must be all, or unset, unless CLUSTER is true.'],
    [{ SEARCH: 'sqlite' }, 'SEARCH must be postgres, or unset.'],
    [{ SEARCH: 'postgres' }, 'SEARCH must be unset without DATABASE_URL.'],
    [
      { SEARCH: 'postgres', DATABASE_URL: 'postgres://x', OPENSEARCH_URL: 'http://search:9200' },
      'SEARCH must be unset when OPENSEARCH_URL is set.',
    ],
    [{ OPENSEARCH_URL: 'search:9200' }, 'OPENSEARCH_URL must be a URL that begins with http:// or https://.'],
    [{ OPENSEARCH_URL: 'https://search:9200/?a' }, 'OPENSEARCH_URL must not contain ? or #.'],
    [
      { OPENSEARCH_URL: 'https://lyceum:10%@search' },
      'OPENSEARCH_URL must have a % in the password written as %25.',
    ],
    [
      { OPENSEARCH_URL: 'https://search', OPENSEARCH_INDEX: 'Lyceum' },
      'OPENSEARCH_INDEX must be a name of lower-case letters, digits, “_” and “-”.',
    ],
    [{ OPENSEARCH_INDEX: 'lyceum' }, 'OPENSEARCH_INDEX has no effect without OPENSEARCH_URL.'],
    [
      { S3_BUCKET: 's3://files' },
      'S3_BUCKET must be the name of a bucket, without s3:// and without a folder.',
    ],
    [{ S3_BUCKET: 'files/lyceum' }, 'S3_BUCKET must be the name of a bucket'],
    [{ S3_BUCKET: 'files', S3_PREFIX: 'a/../b' }, 'S3_PREFIX must be a folder in the bucket'],
    [{ S3_BUCKET: 'files', S3_PREFIX: 'a//b' }, 'S3_PREFIX must be a folder in the bucket'],
    [
      { S3_BUCKET: 'files', S3_ENDPOINT: 's3.example.org' },
      'S3_ENDPOINT must be a URL that begins with http:// or https://.',
    ],
    [
      { S3_BUCKET: 'files', S3_ENDPOINT: 'https://key:secret@s3.example.org' },
      'S3_ENDPOINT must not contain ?, # or a password.',
    ],
    [{ S3_BUCKET: 'files', S3_FORCE_PATH_STYLE: '1' }, 'S3_FORCE_PATH_STYLE must be true or false.'],
    [{ S3_PREFIX: 'lyceum' }, 'S3_PREFIX has no effect without S3_BUCKET.'],
    [{ BACKUP_DIR: 's3://' }, 'BACKUP_DIR must be a folder, or a bucket such as s3://bucket or'],
    [{ BACKUP_DIR: 's3://backups//lyceum' }, 'BACKUP_DIR must be a folder, or a bucket'],
    [{ BACKUP_DIR: 's3://backups/../lyceum' }, 'BACKUP_DIR must be a folder, or a bucket'],
    [{ BACKUP_DIR: 's3://key:secret@host/lyceum' }, 'BACKUP_DIR must be a folder, or a bucket'],
    [
      { REDIS_URL: 'redis://x' },
      'REDIS_URL must be unset unless CLUSTER is true: a single server shares nothing.',
    ],
    [{ REDIS_URL: 'x:6379' }, 'REDIS_URL must be the address of one server, such as rediss://user:password@'],
    [{ REDIS_URL: 'redis://' }, 'REDIS_URL must be the address of one server'],
    [{ REDIS_URL: 'redis:x' }, 'REDIS_URL must be the address of one server'],
    [{ REDIS_URL: 'http://x' }, 'REDIS_URL must be the address of one server'],
    [{ REDIS_URL: 'redis://a:b@x/lyceum' }, 'REDIS_URL must be the address of one server'],
    [{ REDIS_URL: 'redis://a:b@x?db=1' }, 'REDIS_URL must be the address of one server'],
    [
      { REDIS_URL: 'redis-sentinel://x,y/main' },
      'REDIS_URL must be the address of one server, such as rediss://user:password@redis.example.org:6379; Sentinel and Redis Cluster are not supported.',
    ],
    [{ REDIS_URL: 'redis://x,y' }, 'Sentinel and Redis Cluster are not supported.'],
    [{ REDIS_URL: 'redis://a:10%@x' }, 'REDIS_URL must have a % in the password written as %25.'],
    [{ REDIS_URL: 'redis://x', REDIS_PREFIX: 'a:b' }, 'REDIS_PREFIX must be a name of lower-case letters'],
    [{ REDIS_PREFIX: 'lyceum' }, 'REDIS_PREFIX has no effect without REDIS_URL.'],
    [{ PORT: '-1', LOG_LEVEL: 'loud' }, 'PORT must be a whole number from 0 to 65535.\nLOG_LEVEL '],
  ])('refuse %j with one sentence per invalid setting', (source, message) => {
    expect(readErrors(source)).toContain(message)
  })

  it('schedule hourly backups on SQLite, and on PostgreSQL only if BACKUP_EVERY is set', () => {
    expect(readEnv({}).BACKUP_EVERY).toBe(3_600_000)
    expect(readEnv({ BACKUP_EVERY: 'off' }).BACKUP_EVERY).toBeNull()
    expect(readEnv({ DATABASE_URL: 'postgres://x' }).BACKUP_EVERY).toBeNull()
    expect(readEnv({ DATABASE_URL: 'postgres://x', BACKUP_EVERY: '1d' }).BACKUP_EVERY).toBe(86_400_000)
  })

  it('connect to DATABASE_URL directly unless DATABASE_DIRECT_URL is set', () => {
    const [DATABASE_URL, DATABASE_DIRECT_URL] = ['postgres://pooler/x', 'postgres://primary/x']
    expect(readEnv({ DATABASE_URL }).DATABASE_DIRECT_URL).toBe(DATABASE_URL)
    expect(readEnv({ DATABASE_URL, DATABASE_DIRECT_URL })).toMatchObject({
      DATABASE_URL,
      DATABASE_DIRECT_URL,
    })
    expect(readEnv({})).toMatchObject({ DATABASE_DIRECT_URL: undefined, DATABASE_POOL: 10 })
  })

  it('of a cluster name everything that is missing, and search in PostgreSQL', () => {
    expect(readErrors({ CLUSTER: 'true' }).split('\n')).toEqual([
      'DATABASE_URL must be set when CLUSTER is true.',
      'S3_BUCKET must be set when CLUSTER is true.',
      'SECRETS_FILE must be set when CLUSTER is true.',
      'SMTP_URL must be set when CLUSTER is true.',
    ])
    const needed = {
      DATABASE_URL: 'postgres://x',
      S3_BUCKET: 'files',
      SECRETS_FILE: '/keys.json',
      SMTP_URL: 'smtps://mail',
    }
    expect(readEnv({ CLUSTER: 'true', ...needed })).toMatchObject({
      CLUSTER: true,
      SEARCH: 'postgres',
      NODE_NAME: hostname(),
    })
    expect(readEnv({ CLUSTER: 'true', RUN: 'worker', ...needed })).toMatchObject({
      RUN: 'worker',
      DRAIN_SECONDS: 25,
    })
    expect(readEnv({ CLUSTER: 'true', ...needed, OPENSEARCH_URL: 'https://search' })).toMatchObject({
      SEARCH: undefined,
      OPENSEARCH_URL: 'https://search',
      OPENSEARCH_INDEX: 'lyceum-passages',
    })
    expect(readEnv({ NODE_NAME: 'node-a' })).toMatchObject({
      CLUSTER: false,
      RUN: 'all',
      SEARCH: undefined,
      NODE_NAME: 'node-a',
    })
  })

  it('read lists of proxies and origins', () => {
    const TRUSTED_PROXIES = '127.0.0.1, ::1, 10.0.0.0/8, fd00::/8, loopback'
    const CORS_ORIGINS = 'https://app.example.org,http://localhost:5173'
    expect(readEnv({ TRUSTED_PROXIES, CORS_ORIGINS })).toMatchObject({
      TRUSTED_PROXIES: ['127.0.0.1', '::1', '10.0.0.0/8', 'fd00::/8', 'loopback'],
      CORS_ORIGINS: ['https://app.example.org', 'http://localhost:5173'],
    })
  })

  it('read a bucket and its folder, with or without slashes around it', () => {
    expect(readEnv({ S3_BUCKET: 'lyceum-files', S3_PREFIX: '/team/a/' })).toMatchObject({
      S3_BUCKET: 'lyceum-files',
      S3_PREFIX: 'team/a',
      S3_FORCE_PATH_STYLE: false,
    })
  })

  it.each([
    ['s3://backups', 's3://backups'],
    ['s3://backups/team/lyceum/', 's3://backups/team/lyceum'],
    ['/var/backups', '/var/backups'],
    [undefined, '/srv/lyceum/backups'],
  ])('read the folder of backups %s', (BACKUP_DIR, folder) => {
    expect(readEnv({ DATA_DIR: '/srv/lyceum', BACKUP_DIR }).BACKUP_DIR).toBe(folder)
  })

  it('read the model map', () => {
    expect(readEnv({ MODEL_MAP: 'gpt-4o=llama3.2:3b, *=qwen' }).MODEL_MAP).toEqual({
      'gpt-4o': 'llama3.2:3b',
      '*': 'qwen',
    })
  })
})
