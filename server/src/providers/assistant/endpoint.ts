export interface Endpoint {
  /** OpenAI itself knows more (responses, web search, pro reasoning) than what only speaks its chat format. */
  kind: 'openai' | 'compatible'
  baseUrl: string
  apiKey: string | null
  /** Understands `store: false`; a strict compatible server may refuse a field it does not know. */
  takesStore: boolean
}

const openAiHost = 'api.openai.com'
const azureHost = /\.(?:openai\.azure|services\.ai\.azure|cognitiveservices\.azure)\.com$/

function readAddress(address: string, what: string): URL {
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`${what} must be http or https`)
  if (url.username || url.password) throw new Error(`${what} must not hold a user or a password`)
  return url
}

/** Where answers come from; null when neither is set and the built-in assistant answers. */
export function readEndpoint(apiKey: string | undefined, baseUrl: string | undefined): Endpoint | null {
  if (!apiKey && !baseUrl) return null
  const url = readAddress(baseUrl || `https://${openAiHost}/v1`, 'The model endpoint')
  const isOpenAi = url.hostname === openAiHost
  return {
    kind: isOpenAi ? 'openai' : 'compatible',
    baseUrl: url.href.replace(/\/+$/, ''),
    apiKey: apiKey || null,
    takesStore: isOpenAi || azureHost.test(url.hostname),
  }
}

/** Where assistants live that are none of our own. */
export interface AssistantsEndpoint {
  /** Its query, such as a version that the server wants with every call, is kept. */
  baseUrl: URL
  apiKey: string | null
}

/**
 * The server of assistants that is set, else the model endpoint, unless that is OpenAI itself: it stopped serving
 * assistants on 2026-08-26. The key of the model endpoint goes to that endpoint only.
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
  const baseUrl = readAddress(address, 'ASSISTANTS_BASE_URL')
  const isModelEndpoint = models !== null && new URL(models.baseUrl).origin === baseUrl.origin
  return { baseUrl, apiKey: apiKey || (isModelEndpoint ? models.apiKey : null) }
}
