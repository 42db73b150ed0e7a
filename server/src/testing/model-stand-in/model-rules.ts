import { readMessages } from './conversation.ts'

export interface Refusal {
  status: number
  message: string
  code: string
  param?: string
}

function createUnsupportedError(param: string, model: string): Refusal {
  return {
    status: 400,
    message: `Unsupported parameter: '${param}' is not supported with this model (${model}).`,
    code: 'unsupported_parameter',
    param,
  }
}

/** Accepts what real endpoints accept of data URLs: the type that the content has, in valid base64. */
function isPictureAddress(address: string): boolean {
  const [, type, data = ''] = /^data:image\/(png|jpeg|webp|gif);base64,(.*)$/s.exec(address) ?? []
  const bytes = Buffer.from(data, 'base64')
  if (type === undefined || bytes.toString('base64') !== data) return false
  const head = bytes.toString('latin1', 0, 12)
  const starts = { png: '\x89PNG', jpeg: '\xff\xd8\xff', webp: 'RIFF', gif: 'GIF8' }
  return head.startsWith(starts[type as keyof typeof starts])
}

const samplingParameters = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']

/** Refuses what the real endpoint refuses for each model, so that tests catch requests of the wrong shape. */
export function findRefusal(path: string, body: Record<string, unknown>): Refusal | null {
  const model = String(body['model'] ?? '')
  const isChat = path.endsWith('/chat/completions')
  const isPro = /^(?:o\d|gpt-[5-9][\d.]*)-pro/.test(model)
  const isReasoning = /^o\d|^gpt-[5-9](?!.*-chat)/.test(model)
  const isSearchPreview = model.includes('search-preview')
  if (isPro && isChat) {
    return { status: 404, message: 'This is not a chat model.', code: 'model_not_found', param: 'model' }
  }
  if (isPro && body['stream'] === true) return createUnsupportedError('stream', model)
  if (isSearchPreview && !isChat) {
    return {
      status: 404,
      message: 'This model is for chat completions.',
      code: 'model_not_found',
      param: 'model',
    }
  }
  if (isReasoning || isSearchPreview) {
    const sampling = samplingParameters.find((name) => body[name] !== undefined)
    if (sampling) return createUnsupportedError(sampling, model)
  }
  if (isReasoning && isChat && body['max_tokens'] !== undefined)
    return createUnsupportedError('max_tokens', model)
  const messages = readMessages(body)
  if (messages.some(({ pictures = [] }) => !pictures.every(isPictureAddress))) {
    return { status: 400, message: 'Invalid image URL.', code: 'invalid_image_url', param: 'messages' }
  }
  const roles = new Set(messages.map(({ role }) => role))
  if (/^o1-(?:mini|preview)/.test(model) && (roles.has('system') || roles.has('developer'))) {
    return {
      status: 400,
      message: "Role 'system' is not supported.",
      code: 'unsupported_value',
      param: 'messages',
    }
  }
  return null
}
