import type { ModelError } from './port.ts'

const providerAnswer = /^the provider answered (\d{3})\b/
const networkFailure = /^the connection failed(?:: (.+))?$/
/** How the details of time-outs begin or end. */
const timeLimit = /\bwithin (?:the time limit|[\d.]+ s)$|^the run expired$/

const checkServer = 'Check the address and that the server is running.'

const byNetworkCode: readonly (readonly [RegExp, (address: string) => string])[] = [
  [
    /^(?:ENOTFOUND|EAI_AGAIN)$/,
    (address) => `The host name of ${address} was not found. Check its spelling.`,
  ],
  [/TIMEOUT|^ETIMEDOUT$/, (address) => `No server answered at ${address} in time. ${checkServer}`],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/,
    (address) => `The certificate of the server is not valid for ${address}.`,
  ],
  [
    /SSL|^EPROTO$/,
    (address) => `The server at ${address} does not speak HTTPS. Its address may begin with http://.`,
  ],
  [/./, (address) => `No server answers at ${address}. ${checkServer}`],
]

function explainStatus(status: number, address: string): string {
  if (status === 403) return `The API key may not use this model at ${address}.`
  if (status === 404) return `The server at ${address} does not offer this model, or the address is wrong.`
  if (status === 429) return `The server at ${address} is busy, or its quota is used up.`
  return status >= 500
    ? `The server at ${address} answered with an error (${status}).`
    : `The server at ${address} refused the request (${status}).`
}

function findStatus(detail: string): number | null {
  const status = providerAnswer.exec(detail)?.[1]
  return status === undefined ? null : Number(status)
}

/** What it means if none of several models is there; null if the model was not missing. */
export function explainMissingModels({ detail }: ModelError, address: string): string | null {
  return findStatus(detail) === 404
    ? `The server at ${address} offers none of these models, or its address is wrong.`
    : null
}

/** Why the server at an address cannot be used with any model; null if it depends on the model. */
export function explainServerFailure({ detail }: Pick<ModelError, 'detail'>, address: string): string | null {
  if (findStatus(detail) === 401) return `The server at ${address} refused the API key.`
  const failure = networkFailure.exec(detail)
  if (!failure) return null
  const [, code = 'unknown'] = failure
  return byNetworkCode.find(([pattern]) => pattern.test(code))?.[1](address) ?? null
}

/** The likely reason of a failure, for administrators; null if the detail must speak for itself. */
export function explainModelFailure({ detail }: Pick<ModelError, 'detail'>, address: string): string | null {
  const status = findStatus(detail)
  if (status !== null) return explainStatus(status, address)
  return timeLimit.test(detail) ? `The server at ${address} did not answer in time.` : null
}

/** Whether every model of the server fails with this. If not, it may concern one model only. */
export function isServerDown(detail: string): boolean {
  const status = findStatus(detail)
  return networkFailure.test(detail) || status === 401 || (status !== null && status >= 500)
}
