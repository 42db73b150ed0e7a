import { embeddingModelDefault } from '@lyceum/contract/connections'
import type { Executor } from '#db/client.ts'
import type { Secrets } from '#keys/secrets.ts'
import { parseSmtpUrl } from '#providers/mail/smtp.ts'
import type { Env } from '../env.ts'
import { readStored, type StoredMail, type StoredModel, storedMail, storedModel } from './stored.ts'

/** The values that apply now. Those of the environment take precedence over stored ones, always as a whole. */
type Effective<V> =
  | { source: 'environment' | 'stored'; value: V }
  | { source: 'none' | 'unreadable'; value: null }

export interface EffectiveConnections {
  model: Effective<StoredModel>
  mail: Effective<StoredMail>
}

/** Without `SMTP_FROM`, uses the host of this installation, or one that mail software accepts as local. */
export function getDefaultSender({ PUBLIC_URL, SMTP_FROM }: Pick<Env, 'PUBLIC_URL' | 'SMTP_FROM'>): string {
  const { hostname: host } = new URL(PUBLIC_URL)
  return SMTP_FROM ?? `lyceum@${host.includes('.') ? host : 'localhost.localdomain'}`
}

/** Empty without embeddings. `EMBEDDING_MODEL` takes precedence even if the endpoint is stored. */
export function getEmbeddingModel({ EMBEDDING_MODEL }: Pick<Env, 'EMBEDDING_MODEL'>, chosen: string): string {
  const name = EMBEDDING_MODEL ?? chosen
  return name === 'none' ? '' : name
}

/** A key of the environment is never sent to a stored address, nor a stored key to an address of the environment. */
function readEnvironmentModel(env: Env): StoredModel | null {
  const { OPENAI_API_KEY: apiKey = '', OPENAI_BASE_URL: baseUrl = '' } = env
  if (apiKey === '' && baseUrl === '') return null
  return { baseUrl, apiKey, embeddingModel: getEmbeddingModel(env, embeddingModelDefault) }
}

function readEnvironmentMail(env: Env): StoredMail | null {
  return env.SMTP_URL === undefined ? null : { ...parseSmtpUrl(env.SMTP_URL), from: getDefaultSender(env) }
}

/** Decides which model endpoint and mail server apply. */
export async function readConnections(
  db: Executor,
  secrets: Secrets,
  env: Env,
): Promise<EffectiveConnections> {
  async function readModel(): Promise<Effective<StoredModel>> {
    const fixed = readEnvironmentModel(env)
    if (fixed) return { source: 'environment', value: fixed }
    const reading = await readStored(db, secrets, storedModel)
    if (reading.state !== 'stored') return { source: reading.state, value: null }
    const { embeddingModel, ...endpoint } = reading.value
    return {
      source: 'stored',
      value: { ...endpoint, embeddingModel: getEmbeddingModel(env, embeddingModel) },
    }
  }
  async function readMail(): Promise<Effective<StoredMail>> {
    const fixed = readEnvironmentMail(env)
    if (fixed) return { source: 'environment', value: fixed }
    const reading = await readStored(db, secrets, storedMail)
    if (reading.state !== 'stored') return { source: reading.state, value: null }
    const { from, ...server } = reading.value
    return { source: 'stored', value: { ...server, from: env.SMTP_FROM ?? from } }
  }
  return { model: await readModel(), mail: await readMail() }
}
