export interface Endpoint {
  /** OpenAI itself supports more (responses, web search, pro reasoning) than compatible servers. */
  kind: 'openai' | 'compatible'
  baseUrl: string
  apiKey: string | null
  /** Accepts `store: false`. Strict compatible servers may refuse unknown fields. */
  supportsStore: boolean
}

const openAiHost = 'api.openai.com'
const azureHost = /\.(?:openai\.azure|services\.ai\.azure|cognitiveservices\.azure)\.com$/

function parseUrl(address: string, what: string): URL {
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`${what} must be http or https`)
  if (url.username || url.password) throw new Error(`${what} must not contain a user name or password`)
  return url
}

/** Returns the model endpoint; null if neither setting is given, so that the built-in assistant answers. */
export function readEndpoint(apiKey: string | undefined, baseUrl: string | undefined): Endpoint | null {
  if (!apiKey && !baseUrl) return null
  const url = parseUrl(baseUrl || `https://${openAiHost}/v1`, 'The model endpoint')
  const isOpenAi = url.hostname === openAiHost
  return {
    kind: isOpenAi ? 'openai' : 'compatible',
    baseUrl: url.href.replace(/\/+$/, ''),
    apiKey: apiKey || null,
    supportsStore: isOpenAi || azureHost.test(url.hostname),
  }
}

/** A server with external assistants. */
export interface AssistantsEndpoint {
  /** A query in the URL, such as an API version, is sent with every call. */
  baseUrl: URL
  apiKey: string | null
}

/**
 * Returns the configured assistants server, or else the model endpoint unless it is OpenAI, which stopped serving
 * assistants on 2026-08-26. The key of the model endpoint is only sent to that endpoint.
 */
export function readAssistantsEndpoint(
  models: Endpoint | null,
  address: string | undefined,
  apiKey: string | undefined,
): AssistantsEndpoint | null {
  if (!address)
    return models?.kind === 'compatible'
      ? { baseUrl: new URL(models.baseUrl), apiKey: apiKey || models.apiKey }
      : null
  const baseUrl = parseUrl(address, 'ASSISTANTS_BASE_URL')
  const isModelEndpoint = models !== null && new URL(models.baseUrl).origin === baseUrl.origin
  return { baseUrl, apiKey: apiKey || (isModelEndpoint ? models.apiKey : null) }
}
