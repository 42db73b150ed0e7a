import type * as z from 'zod/mini'
import type { Permission } from './permissions.ts'

/**
 * Who may make the call. The server's feature also checks access to the object itself. 'system-admin' is for the calls
 * that change the permissions of administrators or the servers that Lyceum connects to.
 */
export type Access = 'public' | 'signed-in' | 'system-admin' | Permission

/** The rate limit of a call (docs/security.md, "Limits"). Default: 'read' for GET, 'write' for the rest. */
export type RateClass =
  | 'read'
  | 'write'
  | 'sign-in'
  | 'link'
  | 'forgot'
  | 'registration'
  | 'message'
  | 'stream'
  | 'upload'
  | 'history'
  | 'export'
  | 'directory'

/** A multipart call: one file under `field`, plus text fields. */
export interface Upload {
  readonly field: string
  readonly fields: z.ZodMiniObject
  /** `MAX_DOCUMENT_MB` limits a document, `imageMaxBytes` an image. */
  readonly kind: 'document' | 'image'
}

/** One API call, declared once and used by the server and the client. */
export interface EndpointShape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Relative to /api; `:name` is a parameter that `params` describes. */
  readonly path: `/${string}`
  readonly access: Access
  readonly summary: string
  readonly limit?: RateClass
  /** Costs much more than other calls of its rate class, so that a busy server refuses it before those. */
  readonly isHeavy?: true
  /** The parameter with the channel's id, if sign-ins on other sites may make the call in their channel. */
  readonly embeddedParam?: 'id' | 'channelId'
  readonly params?: z.ZodMiniObject
  readonly query?: z.ZodMiniObject
  readonly body?: z.ZodMiniType
  /** The body is that of an HTML form instead of JSON, because a protocol prescribes it. */
  readonly isForm?: true
  readonly upload?: Upload
  /** `file`: a body of bytes; `none`: status 204. */
  readonly reply: z.ZodMiniType | 'file' | 'none'
  /** The types that a reply of bytes can have, without `charset`. */
  readonly contentTypes?: readonly string[]
  /** Set when the call can also stream numbered events (`Accept: text/event-stream`). */
  readonly events?: z.ZodMiniType
}

export function endpoint<const E extends EndpointShape>(declared: E): E {
  return declared
}

type DeclaredSchema<E, K extends string> = E extends { readonly [P in K]: infer S extends z.ZodMiniType }
  ? S
  : never

type OutputOf<S> = [S] extends [never] ? undefined : z.output<S & z.ZodMiniType>
type InputOf<S> = [S] extends [never] ? undefined : z.input<S & z.ZodMiniType>

export type ParamsOf<E extends EndpointShape> = OutputOf<DeclaredSchema<E, 'params'>>
export type QueryOf<E extends EndpointShape> = OutputOf<DeclaredSchema<E, 'query'>>
export type BodyOf<E extends EndpointShape> = OutputOf<DeclaredSchema<E, 'body'>>
export type ReplyOf<E extends EndpointShape> = OutputOf<DeclaredSchema<E, 'reply'>>
export type EventOf<E extends EndpointShape> = OutputOf<DeclaredSchema<E, 'events'>>
export type FieldsOf<E extends EndpointShape> = E extends { readonly upload: { readonly fields: infer F } }
  ? OutputOf<F>
  : undefined

type RequiredField<K extends string, V> = [V] extends [undefined] ? object : { [P in K]: V }

/** The client's input for a call: only the parts that the call declares. */
export type CallInput<E extends EndpointShape> = RequiredField<
  'params',
  InputOf<DeclaredSchema<E, 'params'>>
> &
  ([InputOf<DeclaredSchema<E, 'query'>>] extends [undefined]
    ? object
    : { query?: InputOf<DeclaredSchema<E, 'query'>> }) &
  (Record<never, never> extends InputOf<DeclaredSchema<E, 'body'>>
    ? { body?: InputOf<DeclaredSchema<E, 'body'>> }
    : RequiredField<'body', InputOf<DeclaredSchema<E, 'body'>>>)
