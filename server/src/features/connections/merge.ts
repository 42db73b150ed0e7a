import type {
  EmbeddingsConnectionInput,
  MailConnectionInput,
  ModelConnectionInput,
  RerankingConnectionInput,
} from '@lyceum/contract/connections'
import type {
  StoredEmbeddings,
  StoredMail,
  StoredModel,
  StoredReading,
  StoredReranking,
} from '../../connections/stored.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import {
  getEmbeddingsVariables,
  getMailVariables,
  getModelVariables,
  getRerankingVariables,
} from './present.ts'

type Env = Deps['env']

function refuse(field: string, message: string): never {
  throw new AppError('validation.failed', { message, fields: { [field]: message } })
}

function requireNoVariable(variables: readonly (string | undefined)[]): void {
  const names = [...new Set(variables.filter((name) => name !== undefined))]
  if (names.length === 0) return
  const message = `Set by ${names.join(' and ')} on the server, so it cannot be changed here.`
  throw new AppError('connection.from_environment', { message })
}

/** The stored secret is only ever sent to the server for which it was entered. */
function keepSecret<V>(
  previous: StoredReading<V>,
  { isSameServer, getSecret }: { isSameServer: (value: V) => boolean; getSecret: (value: V) => string },
  refuseChange: () => never,
): string {
  if (previous.state !== 'stored' || getSecret(previous.value) === '') return ''
  return isSameServer(previous.value) ? getSecret(previous.value) : refuseChange()
}

function requireUrl(field: string, address: string): void {
  if (!URL.canParse(address)) refuse(field, 'This address is not valid.')
}

/** A key that is entered, or the stored one of the same address. */
function chooseKey<V extends { apiKey: string }>(
  previous: StoredReading<V>,
  enteredKey: string | undefined,
  isSameAddress: (value: V) => boolean,
): string {
  return (
    enteredKey ??
    keepSecret(previous, { isSameServer: isSameAddress, getSecret: ({ apiKey }) => apiKey }, () =>
      refuse('apiKey', 'Enter the API key again, because the address has changed.'),
    )
  )
}

/** The values to store or test. The environment's `EMBEDDING_MODEL` stays in effect, whatever is stored. */
export function mergeModel(
  env: Env,
  previous: StoredReading<StoredModel>,
  { baseUrl, apiKey: enteredKey, embeddingModel }: ModelConnectionInput,
): StoredModel {
  const { baseUrl: urlVariable, apiKey: keyVariable } = getModelVariables(env)
  requireNoVariable([keyVariable, urlVariable])
  requireUrl('baseUrl', baseUrl || 'https://api.openai.com')
  const apiKey = chooseKey(previous, enteredKey, (value) => value.baseUrl === baseUrl)
  if (baseUrl === '' && apiKey === '') refuse('apiKey', 'OpenAI requires an API key.')
  return { baseUrl, apiKey, embeddingModel: embeddingModel === 'none' ? '' : embeddingModel }
}

/** The values to store or test. The environment's model and prefixes stay in effect, whatever is stored. */
export function mergeEmbeddings(
  env: Env,
  previous: StoredReading<StoredEmbeddings>,
  { apiKey: enteredKey, ...input }: EmbeddingsConnectionInput,
): StoredEmbeddings {
  requireNoVariable([getEmbeddingsVariables(env).baseUrl])
  requireUrl('baseUrl', input.baseUrl)
  return { ...input, apiKey: chooseKey(previous, enteredKey, ({ baseUrl }) => baseUrl === input.baseUrl) }
}

/** The values to store or test. */
export function mergeReranking(
  env: Env,
  previous: StoredReading<StoredReranking>,
  { apiKey: enteredKey, ...input }: RerankingConnectionInput,
): StoredReranking {
  requireNoVariable([getRerankingVariables(env).url])
  requireUrl('url', input.url)
  return { ...input, apiKey: chooseKey(previous, enteredKey, ({ url }) => url === input.url) }
}

/** The values to store or test. The environment's `SMTP_FROM` stays in effect, whatever is stored. */
export function mergeMail(
  env: Env,
  previous: StoredReading<StoredMail>,
  { password: enteredPassword, host: enteredHost, ...input }: MailConnectionInput,
): StoredMail {
  requireNoVariable([getMailVariables(env).host])
  const host = enteredHost.replace(/^\[|\]$/g, '')
  const server = { ...input, host }
  if (input.username === '') return { ...server, password: '' }
  const password =
    enteredPassword ??
    keepSecret(
      previous,
      {
        isSameServer: (value) =>
          (['host', 'port', 'encryption', 'username'] as const).every(
            (field) => value[field] === server[field],
          ),
        getSecret: (value) => value.password,
      },
      () =>
        refuse(
          'password',
          'Enter the password again, because the server, its encryption or the user name has changed.',
        ),
    )
  if (password === '') refuse('password', 'Enter the password of this user.')
  return { ...server, password }
}
