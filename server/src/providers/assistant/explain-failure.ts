import type { ModelError } from './port.ts'

const providerAnswer = /^the provider answered (\d{3})\b/
const networkCode = /^the connection failed: (.+)$/

const byNetworkCode: readonly (readonly [RegExp, string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'The host name was not found. Check its spelling.'],
  [/TIMEOUT|^ETIMEDOUT$/, 'Nothing answered there in time. Check the address.'],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/, 'The certificate of the server is not valid for this address.'],
  [/SSL|^EPROTO$/, 'The server does not speak HTTPS. Its address may begin with http://.'],
  [/./, 'No server answers there. Check the host and the port.'],
]

function explainStatus(status: number): string | null {
  if (status === 401) return 'The endpoint refused the API key.'
  if (status === 403) return 'The API key may not use this model.'
  if (status === 404) return 'The endpoint does not offer this model, or its address is wrong.'
  if (status === 429) return 'The endpoint is busy, or its quota is used up.'
  return status >= 500 ? 'The endpoint failed.' : 'The endpoint refused the request.'
}

/** The likely reason of a failure, for administrators who set the endpoint; null if the detail must speak for itself. */
export function explainModelFailure({ code, detail }: ModelError): string | null {
  const status = providerAnswer.exec(detail)?.[1]
  if (status !== undefined) return explainStatus(Number(status))
  const network = networkCode.exec(detail)?.[1]
  if (network !== undefined) return byNetworkCode.find(([pattern]) => pattern.test(network))?.[1] ?? null
  return code === 'assistant.timeout' ? 'The endpoint did not answer in time.' : null
}
