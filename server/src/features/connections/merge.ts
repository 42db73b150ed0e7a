import type { MailConnectionInput, ModelConnectionInput } from '@lyceum/contract/connections'
import type { StoredMail, StoredModel, StoredReading } from '../../connections/stored.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { getMailVariables, getModelVariables } from './present.ts'

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

/** The values to store or test. The environment's `EMBEDDING_MODEL` stays in effect, whatever is stored. */
export function mergeModel(
  env: Env,
  previous: StoredReading<StoredModel>,
  { baseUrl, apiKey: enteredKey, embeddingModel }: ModelConnectionInput,
): StoredModel {
  const { baseUrl: urlVariable, apiKey: keyVariable } = getModelVariables(env)
  requireNoVariable([keyVariable, urlVariable])
  if (!URL.canParse(baseUrl || 'https://api.openai.com')) refuse('baseUrl', 'This address is not valid.')
  const apiKey =
    enteredKey ??
    keepSecret(
      previous,
      { isSameServer: (value) => value.baseUrl === baseUrl, getSecret: (value) => value.apiKey },
      () => refuse('apiKey', 'Enter the API key again, because the address has changed.'),
    )
  if (baseUrl === '' && apiKey === '') refuse('apiKey', 'OpenAI requires an API key.')
  return { baseUrl, apiKey, embeddingModel: embeddingModel === 'none' ? '' : embeddingModel }
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
