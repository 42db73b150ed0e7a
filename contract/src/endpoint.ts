import type * as z from 'zod/mini'
import type { Permission } from './permissions.ts'

/**
 * Who may make a call at all. Whether this caller may touch this very thing is decided by the server's feature.
 * 'system-admin' is the one who may change what administrators may do.
 */
export type Access = 'public' | 'signed-in' | 'system-admin' | Permission

/** How often a call may be made: docs/security.md, "Limits". GET is 'read' and the rest 'write' unless said. */
export type LimitClass =
  | 'read'
  | 'write'
  | 'sign-in'
  | 'link'
  | 'forgot'
  | 'message'
  | 'stream'
  | 'upload'
  | 'history'
  | 'export'

/** A multipart call: one file under `field`, and the text fields beside it. */
export interface Upload {
  readonly field: string
  readonly fields: z.ZodMiniObject
  /** 'document' is bounded by MAX_DOCUMENT_MB, 'image' by `imageMaxBytes`. */
  readonly kind: 'document' | 'image'
}

/** One call of the product, declared once and used by both sides. */
export interface EndpointShape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below /api, with `:name` for what `params` describes. */
  readonly path: `/${string}`
  readonly access: Access
  readonly summary: string
  readonly limit?: LimitClass
  readonly params?: z.ZodMiniObject
  readonly query?: z.ZodMiniObject
  readonly body?: z.ZodMiniType
  readonly upload?: Upload
  /** 'file' is sent as bytes, 'none' as 204. */
  readonly reply: z.ZodMiniType | 'file' | 'none'
  /** Set when the call can also be read as a stream of numbered events (`Accept: text/event-stream`). */
  readonly events?: z.ZodMiniType
}

export const endpoint = <const E extends EndpointShape>(declared: E): E => declared

type Part<E, K extends string> = E extends { readonly [P in K]: infer S extends z.ZodMiniType } ? S : never

type OutputOf<S> = [S] extends [never] ? undefined : z.output<S & z.ZodMiniType>
type InputOf<S> = [S] extends [never] ? undefined : z.input<S & z.ZodMiniType>

export type ParamsOf<E extends EndpointShape> = OutputOf<Part<E, 'params'>>
export type QueryOf<E extends EndpointShape> = OutputOf<Part<E, 'query'>>
export type BodyOf<E extends EndpointShape> = OutputOf<Part<E, 'body'>>
export type ReplyOf<E extends EndpointShape> = OutputOf<Part<E, 'reply'>>
export type EventOf<E extends EndpointShape> = OutputOf<Part<E, 'events'>>
export type FieldsOf<E extends EndpointShape> = E extends { readonly upload: { readonly fields: infer F } }
  ? OutputOf<F>
  : undefined

type Given<K extends string, V> = [V] extends [undefined] ? object : { [P in K]: V }

/** What the client hands over for a call: only the parts the call declares. */
export type CallInput<E extends EndpointShape> = Given<'params', InputOf<Part<E, 'params'>>> &
  ([InputOf<Part<E, 'query'>>] extends [undefined] ? object : { query?: InputOf<Part<E, 'query'>> }) &
  Given<'body', InputOf<Part<E, 'body'>>>
