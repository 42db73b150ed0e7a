import type { Env } from './env.ts'

/** Shorter values may be ordinary words, such as `postgres`, which replies must be able to contain. */
const minLength = 12

function getPassword(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).password
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The secrets in the environment, as they are written and, from URLs, decoded, and the given ones. */
export function listConfiguredSecrets(env: Env, others: readonly (string | undefined)[] = []): string[] {
  const secrets = [
    env.OPENAI_API_KEY,
    env.ASSISTANTS_API_KEY,
    env.EMBEDDING_API_KEY,
    env.RERANK_API_KEY,
    env.METRICS_TOKEN,
    env.BACKUP_PASSPHRASE,
    getPassword(env.SMTP_URL),
    getPassword(env.DATABASE_URL),
    getPassword(env.DATABASE_DIRECT_URL),
    getPassword(env.OPENSEARCH_URL),
    getPassword(env.REDIS_URL),
    ...others,
  ].filter((secret) => secret !== undefined)
  return [...new Set(secrets.flatMap((secret) => [secret, decode(secret)]))].filter(
    (secret) => secret.length >= minLength,
  )
}
