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

/** Where answers come from; null when neither is set and the built-in assistant answers. */
export function readEndpoint(apiKey: string | undefined, baseUrl: string | undefined): Endpoint | null {
  if (!apiKey && !baseUrl) return null
  const url = new URL(baseUrl || `https://${openAiHost}/v1`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error('The model endpoint must be http or https')
  if (url.username || url.password) throw new Error('The model endpoint must not hold a user or a password')
  const isOpenAi = url.hostname === openAiHost
  return {
    kind: isOpenAi ? 'openai' : 'compatible',
    baseUrl: url.href.replace(/\/+$/, ''),
    apiKey: apiKey || null,
    takesStore: isOpenAi || azureHost.test(url.hostname),
  }
}
