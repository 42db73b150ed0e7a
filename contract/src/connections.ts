import * as z from 'zod/mini'
import { providerModel } from './assistants.ts'
import { endpoint } from './endpoint.ts'
import { partTestResult } from './status.ts'
import { email } from './wire.ts'

/** The servers that system administrators can set (docs/product.md, "Model and mail servers"). */
export const connectionParts = ['model', 'embeddings', 'reranking', 'mail'] as const
export const connectionPart = z.enum(connectionParts)
export type ConnectionPart = z.output<typeof connectionPart>

/** `unreadable`: values are stored, but the keys of this installation cannot decrypt them. */
const source = z.enum(['none', 'stored', 'environment', 'unreadable'])

/** The environment variable that sets each field; fields that can be changed are left out. */
function variablesOf<const Fields extends readonly string[]>(fields: Fields) {
  return z.partialRecord(z.enum(fields), z.string())
}

/** The server's default for an installation that sets none. */
export const embeddingModelDefault = 'text-embedding-3-small'

const httpAddress = /^(?:|https?:\/\/[^\s/@?#\\]+(?:\/[^\s?#\\]*)?)$/i
const withUserName = /^https?:\/\/[^\s/?#\\]*@/i

function explainAddress({ input }: { input?: unknown }, example = 'https://api.openai.com/v1'): string {
  return withUserName.test(String(input))
    ? 'Enter the address without a user name or password.'
    : `Enter an address such as ${example}.`
}

const apiKey = z
  .string()
  .check(z.trim(), z.regex(/^[\x21-\x7e]{0,500}$/, 'Enter a key without spaces, at most 500 characters.'))

function requiredAddress(example: string) {
  return z.string().check(
    z.trim(),
    z.maxLength(500, 'At most 500 characters.'),
    z.regex(httpAddress, { error: (issue) => explainAddress(issue, example) }),
    z.minLength(1, `Enter an address such as ${example}.`),
    z.overwrite((url) => url.replace(/\/+$/, '')),
  )
}

export const modelConnectionInput = z.object({
  /** Empty: OpenAI. */
  baseUrl: z.string().check(
    z.trim(),
    z.maxLength(500, 'At most 500 characters.'),
    z.regex(httpAddress, { error: (issue) => explainAddress(issue) }),
    z.overwrite((url) => url.replace(/\/+$/, '')),
  ),
  /** Left out: the stored key stays. Empty: no key. */
  apiKey: z.optional(apiKey),
  /** The model for all labels without an entry of their own in the model map. Empty: none. */
  model: providerModel,
  /** Empty: no embeddings, so that passages are found by keywords only. */
  embeddingModel: providerModel,
})
export type ModelConnectionInput = z.output<typeof modelConnectionInput>

/** Validates the form. Its key is empty if the stored one stays. */
export const modelConnectionForm = z.extend(modelConnectionInput, { apiKey, removesKey: z.boolean() })
export type ModelConnectionEntries = z.input<typeof modelConnectionForm>
export type ModelConnectionValues = z.output<typeof modelConnectionForm>

export const modelConnection = z.object({
  source,
  baseUrl: z.string(),
  hasApiKey: z.boolean(),
  model: z.string(),
  embeddingModel: z.string(),
  variables: variablesOf(['baseUrl', 'apiKey', 'embeddingModel']),
})

const prefix = z.string().check(z.trim(), z.maxLength(500, 'At most 500 characters.'))

export const embeddingsConnectionInput = z.object({
  baseUrl: requiredAddress('http://localhost:8080/v1'),
  /** Left out: the stored key stays. Empty: no key. */
  apiKey: z.optional(apiKey),
  model: providerModel.check(z.minLength(1, 'Enter the name of the model.')),
  /** Written before each question. A line break is written as \n. */
  queryPrefix: prefix,
  /** Written before each passage, likewise. */
  passagePrefix: prefix,
})
export type EmbeddingsConnectionInput = z.output<typeof embeddingsConnectionInput>

/** Validates the form. Its key is empty if the stored one stays. */
export const embeddingsConnectionForm = z.extend(embeddingsConnectionInput, {
  apiKey,
  removesKey: z.boolean(),
})
export type EmbeddingsConnectionEntries = z.input<typeof embeddingsConnectionForm>
export type EmbeddingsConnectionValues = z.output<typeof embeddingsConnectionForm>

export const embeddingsConnection = z.object({
  /** `none`: the endpoint of the model embeds, if there is one. */
  source,
  baseUrl: z.string(),
  hasApiKey: z.boolean(),
  model: z.string(),
  queryPrefix: z.string(),
  passagePrefix: z.string(),
  variables: variablesOf(['baseUrl', 'apiKey', 'model', 'queryPrefix', 'passagePrefix']),
})

export const rerankingConnectionInput = z.object({
  /** The full address. */
  url: requiredAddress('http://localhost:8080/v1/rerank'),
  /** Left out: the stored key stays. Empty: no key. */
  apiKey: z.optional(apiKey),
  /** Empty: the server has only one. */
  model: providerModel,
})
export type RerankingConnectionInput = z.output<typeof rerankingConnectionInput>

/** Validates the form. Its key is empty if the stored one stays. */
export const rerankingConnectionForm = z.extend(rerankingConnectionInput, { apiKey, removesKey: z.boolean() })
export type RerankingConnectionEntries = z.input<typeof rerankingConnectionForm>
export type RerankingConnectionValues = z.output<typeof rerankingConnectionForm>

export const rerankingConnection = z.object({
  source,
  url: z.string(),
  hasApiKey: z.boolean(),
  model: z.string(),
  variables: variablesOf(['url', 'apiKey', 'model']),
})

/** `tls`: encrypted from the start. `starttls`: encryption is required. `optional`: it is used if offered. */
export const mailEncryptions = ['starttls', 'tls', 'optional'] as const
export const mailEncryption = z.enum(mailEncryptions)
export type MailEncryption = z.output<typeof mailEncryption>

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
const printable = /^[^\u0000-\u001f\u007f]{0,500}$/
const credential = z.string().check(z.regex(printable, 'At most 500 characters, without line breaks.'))
const hostName = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|\[?[0-9A-Fa-f:.]{2,45}\]?)$/

export const mailConnectionInput = z.object({
  host: z.string().check(z.trim(), z.regex(hostName, 'Enter the host name of the mail server.')),
  port: z.coerce
    .number('Enter the port.')
    .check(z.int('Enter the port.'), z.gte(1, 'From 1 to 65535.'), z.lte(65_535, 'From 1 to 65535.')),
  encryption: mailEncryption,
  /** Empty: the mail server asks for no login. */
  username: credential.check(z.trim()),
  /** Left out: the stored password stays. */
  password: z.optional(credential),
  /** The sender's address. */
  from: email,
})
export type MailConnectionInput = z.output<typeof mailConnectionInput>

/** Validates the form. Its password is empty if the stored one stays. */
export const mailConnectionForm = z.extend(mailConnectionInput, { password: credential })
export type MailConnectionEntries = z.input<typeof mailConnectionForm>
export type MailConnectionValues = z.output<typeof mailConnectionForm>

export const mailConnection = z.object({
  source,
  host: z.string(),
  /** Null if no mail server is set. */
  port: z.nullable(z.number()),
  encryption: mailEncryption,
  username: z.string(),
  hasPassword: z.boolean(),
  from: z.string(),
  variables: variablesOf(['host', 'port', 'encryption', 'username', 'password', 'from']),
})

/** `failing`: it did not answer when it was used last. `untested`: it has not been used since it was set up. */
export const connectionHealth = z.enum(['working', 'failing', 'untested'])
export type ConnectionHealth = z.output<typeof connectionHealth>

export const connections = z.object({
  /** Whether the servers that are set up work. */
  health: z.partialRecord(connectionPart, connectionHealth),
  model: modelConnection,
  embeddings: embeddingsConnection,
  reranking: rerankingConnection,
  mail: mailConnection,
})
export type Connections = z.output<typeof connections>

export const connectionsApi = {
  get: endpoint({
    method: 'GET',
    path: '/settings/connections',
    access: 'system-admin',
    summary: 'Get the connections to models and to the mail server, without their secrets',
    reply: connections,
  }),
  setModel: endpoint({
    method: 'PUT',
    path: '/settings/connections/model',
    access: 'system-admin',
    summary: 'Set the model server',
    body: modelConnectionInput,
    reply: connections,
  }),
  testModel: endpoint({
    method: 'POST',
    path: '/settings/connections/model/test',
    access: 'system-admin',
    limit: 'message',
    summary: 'Test a model server with these values, without storing them',
    body: modelConnectionInput,
    reply: partTestResult,
  }),
  setEmbeddings: endpoint({
    method: 'PUT',
    path: '/settings/connections/embeddings',
    access: 'system-admin',
    summary: 'Set a server for embeddings other than the model server',
    body: embeddingsConnectionInput,
    reply: connections,
  }),
  testEmbeddings: endpoint({
    method: 'POST',
    path: '/settings/connections/embeddings/test',
    access: 'system-admin',
    limit: 'message',
    summary: 'Test a server for embeddings with these values, without storing them',
    body: embeddingsConnectionInput,
    reply: partTestResult,
  }),
  setReranking: endpoint({
    method: 'PUT',
    path: '/settings/connections/reranking',
    access: 'system-admin',
    summary: 'Set a server that ranks the passages found',
    body: rerankingConnectionInput,
    reply: connections,
  }),
  testReranking: endpoint({
    method: 'POST',
    path: '/settings/connections/reranking/test',
    access: 'system-admin',
    limit: 'message',
    summary: 'Test a server that ranks passages with these values, without storing them',
    body: rerankingConnectionInput,
    reply: partTestResult,
  }),
  setMail: endpoint({
    method: 'PUT',
    path: '/settings/connections/mail',
    access: 'system-admin',
    summary: 'Set the mail server',
    body: mailConnectionInput,
    reply: connections,
  }),
  testMail: endpoint({
    method: 'POST',
    path: '/settings/connections/mail/test',
    access: 'system-admin',
    limit: 'message',
    summary: 'Send yourself a test email through a mail server with these values, without storing them',
    body: mailConnectionInput,
    reply: partTestResult,
  }),
  check: endpoint({
    method: 'POST',
    path: '/settings/connections/:part/check',
    access: 'system-admin',
    limit: 'message',
    summary: 'Find out whether the server that is set up works; sends no email',
    params: z.object({ part: connectionPart }),
    reply: partTestResult,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/settings/connections/:part',
    access: 'system-admin',
    summary: 'Remove the stored values of a connection',
    params: z.object({ part: connectionPart }),
    reply: connections,
  }),
} as const
