import type { ModelError } from './port.ts'

const providerAnswer = /^the provider answered (\d{3})\b/
const networkCode = /^the connection failed: (.+)$/

const byNetworkCode: readonly (readonly [RegExp, (address: string) => string])[] = [
  [
    /^(?:ENOTFOUND|EAI_AGAIN)$/,
    (address) => `The host name of ${address} was not found. Check its spelling.`,
  ],
  [/TIMEOUT|^ETIMEDOUT$/, (address) => `No server answered at ${address} in time. Check the address.`],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/,
    (address) => `The certificate of the server is not valid for ${address}.`,
  ],
  [
    /SSL|^EPROTO$/,
    (address) => `The server at ${address} does not speak HTTPS. Its address may begin with http://.`,
  ],
  [/./, (address) => `No server answers at ${address}.`],
]

function explainStatus(status: number): string | null {
  if (status === 403) return 'The API key may not use this model.'
  if (status === 404) return 'The endpoint does not offer this model, or its address is wrong.'
  if (status === 429) return 'The endpoint is busy, or its quota is used up.'
  return status >= 500 ? 'The endpoint failed.' : 'The endpoint refused the request.'
}

/** What it means if none of several models is there; null if the model was not missing. */
export function explainMissingModels({ detail }: ModelError, address: string): string | null {
  return providerAnswer.exec(detail)?.[1] === '404'
    ? `The server at ${address} offers none of these models, or its address is wrong.`
    : null
}

/** Why the server at an address cannot be used with any model; null if it depends on the model. */
export function explainServerFailure({ detail }: ModelError, address: string): string | null {
  if (providerAnswer.exec(detail)?.[1] === '401') return `The server at ${address} refused the API key.`
  const network = networkCode.exec(detail)?.[1]
  if (network === undefined) return null
  return byNetworkCode.find(([pattern]) => pattern.test(network))?.[1](address) ?? null
}

/** The likely reason of a failure, for administrators who set the endpoint; null if the detail must speak for itself. */
export function explainModelFailure({ code, detail }: ModelError): string | null {
  const status = providerAnswer.exec(detail)?.[1]
  if (status !== undefined) return explainStatus(Number(status))
  return code === 'assistant.timeout' ? 'The endpoint did not answer in time.' : null
}
