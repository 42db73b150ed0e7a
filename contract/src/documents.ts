import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, idParams, instant, list, message, paging } from './wire.ts'

export const documentKinds = ['pdf', 'doc', 'docx', 'txt'] as const
export const documentKind = z.enum(documentKinds)
export type DocumentKind = z.output<typeof documentKind>

export const mimeTypeOf: Record<DocumentKind, string> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  txt: 'text/plain',
}

/** What a file input is given. */
export const acceptedFiles = documentKinds.map((kind) => `.${kind}`).join(',')

export const uploadDescription = 'Uploaded from channel management by admin'

export const documentStatus = z.enum(['pending', 'approved', 'rejected'])
export type DocumentStatus = z.output<typeof documentStatus>

/** Where the indexing of an approved document stands; 'none' while it is not approved. */
export const indexState = z.enum(['none', 'waiting', 'extracting', 'embedding', 'ready', 'failed'])
export type IndexState = z.output<typeof indexState>

/** States that still move by themselves, so that a screen looks again. */
export const isIndexing = (state: IndexState): boolean =>
  state === 'waiting' || state === 'extracting' || state === 'embedding'

const named = z.object({ _id: z.optional(z.string()), name: z.string() })

export const document = z.object({
  _id: id,
  title: z.string(),
  description: z.string(),
  originalName: z.string(),
  filename: z.string(),
  mimeType: z.string(),
  fileType: documentKind,
  fileSize: z.number(),
  status: documentStatus,
  createdAt: instant,
  channel: named,
  uploadedBy: named,
  approvedBy: z.nullable(named),
  approvedAt: z.nullable(instant),
  rejectedBy: z.nullable(named),
  rejectedAt: z.nullable(instant),
  index: z.object({
    state: indexState,
    percent: z.number(),
    attempts: z.number(),
    /** Why indexing failed, in words. */
    reason: z.nullable(z.string()),
    passages: z.nullable(z.number()),
    pages: z.nullable(z.number()),
    /** True while an earlier index still answers, as during a reindex. */
    answers: z.boolean(),
  }),
})
export type Document = z.output<typeof document>

/** What may be done with a document in a status, before the caller's own rights. */
export const actionsFor = (status: DocumentStatus, kind: DocumentKind) => ({
  approve: status === 'pending',
  reject: status === 'pending',
  reindex: status === 'approved',
  download: true,
  preview: status !== 'rejected' || kind === 'pdf',
  delete: true,
})

/** A document's text as it was read, by page where it has pages. */
export const documentText = z.object({
  title: z.string(),
  fileType: documentKind,
  pages: z.array(z.object({ page: z.nullable(z.number()), start: z.number(), text: z.string() })),
  total: z.number(),
})

export const uploadFields = z.object({
  channelId: id,
  title: z._default(z.string().check(z.maxLength(300)), ''),
  description: z._default(z.string().check(z.maxLength(2000)), ''),
})

export const documentsApi = {
  list: endpoint({
    method: 'GET',
    path: '/documents',
    access: 'canManageDocuments',
    summary: 'Documents, by status and channel',
    query: z.object({
      ...paging,
      status: z.optional(documentStatus),
      channelId: z.optional(id),
      search: z.optional(z.string().check(z.maxLength(200))),
    }),
    reply: list(document),
  }),
  get: endpoint({
    method: 'GET',
    path: '/documents/:id',
    access: 'canManageDocuments',
    summary: 'One document',
    params: idParams,
    reply: document,
  }),
  upload: endpoint({
    method: 'POST',
    path: '/documents',
    access: 'canUploadDocuments',
    limit: 'upload',
    summary: 'Upload a document into a channel; it stays pending until it is approved',
    upload: { field: 'file', kind: 'document', fields: uploadFields },
    reply: document,
  }),
  approve: endpoint({
    method: 'PUT',
    path: '/documents/:id/approve',
    access: 'canApproveDocuments',
    summary: 'Approve a pending document',
    params: idParams,
    reply: document,
  }),
  reject: endpoint({
    method: 'PUT',
    path: '/documents/:id/reject',
    access: 'canRejectDocuments',
    summary: 'Reject a pending document',
    params: idParams,
    reply: document,
  }),
  reindex: endpoint({
    method: 'POST',
    path: '/documents/:id/reindex',
    access: 'canReindexDocuments',
    summary: 'Build an approved document’s index anew; the present one answers until then',
    params: idParams,
    reply: document,
  }),
  download: endpoint({
    method: 'GET',
    path: '/documents/:id/download',
    access: 'signed-in',
    summary: 'The original file',
    params: idParams,
    reply: 'file',
  }),
  text: endpoint({
    method: 'GET',
    path: '/documents/:id/text',
    access: 'signed-in',
    summary: 'A document’s text as it was read, from `start`, at most 200,000 characters',
    params: idParams,
    query: z.object({ start: z.optional(z.coerce.number().check(z.int(), z.gte(0))) }),
    reply: documentText,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/documents/:id',
    access: 'canDeleteDocuments',
    summary: 'Delete a document, its file and its passages',
    params: idParams,
    reply: message,
  }),
  cleanupOrphaned: endpoint({
    method: 'POST',
    path: '/documents/opensearch/cleanup-orphaned',
    access: 'canManageDocuments',
    summary: 'Remove passages and files that belong to no document',
    reply: z.object({ message: z.string(), passages: z.number(), files: z.number(), bytes: z.number() }),
  }),
} as const
