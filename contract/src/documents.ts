import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { count, id, idParams, instant, list, message, paging } from './wire.ts'

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
  /** The version that is shown and reviewed, and how many there have been. */
  version: z.object({ number: z.number(), count: z.number() }),
  /** The version whose passages answer right now; an earlier one while a later waits or is being indexed. */
  answering: z.nullable(z.object({ number: z.number() })),
  /** Whether a member put it forward. */
  isProposal: z.boolean(),
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

/** 'approved' is one whose index is still to come: until then the one before it answers. */
export const versionState = z.enum(['pending', 'approved', 'answering', 'superseded', 'rejected'])
export type VersionState = z.output<typeof versionState>

export const documentVersion = z.object({
  number: z.number(),
  originalName: z.string(),
  fileType: documentKind,
  fileSize: z.number(),
  uploadedBy: named,
  createdAt: instant,
  state: versionState,
  /** Who approved or rejected it. */
  decidedBy: z.nullable(named),
  decidedAt: z.nullable(instant),
  /** False when its file is no longer kept: that of a rejected version of an approved document. */
  isKept: z.boolean(),
})
export type DocumentVersion = z.output<typeof documentVersion>

/** A document that a member put forward, as they see it. */
export const proposal = z.object({
  _id: id,
  title: z.string(),
  originalName: z.string(),
  fileSize: z.number(),
  status: documentStatus,
  createdAt: instant,
  decidedAt: z.nullable(instant),
})
export type Proposal = z.output<typeof proposal>

export const bulkAction = z.enum(['approve', 'reject', 'reindex', 'delete'])
export type BulkAction = z.output<typeof bulkAction>
export const bulkMaximum = 200

export const bulkInput = z
  .object({
    action: bulkAction,
    ids: z.array(id).check(z.minLength(1), z.maxLength(bulkMaximum)),
    /** The versions that were seen, in the order of `ids`: what was replaced since is refused, not decided unread. */
    versions: z.optional(z.array(z.number())),
  })
  .check(
    z.refine(({ ids, versions }) => !versions || versions.length === ids.length, {
      error: 'One version for each document',
      path: ['versions'],
    }),
  )
export type BulkInput = z.output<typeof bulkInput>

export const bulkResult = z.object({
  done: z.array(id),
  /** Those that were refused and why; `title` is null for one that does not exist. */
  refused: z.array(z.object({ _id: id, title: z.nullable(z.string()), message: z.string() })),
})
export type BulkResult = z.output<typeof bulkResult>

export const storageUse = z.object({
  /** Largest first. */
  channels: z.array(
    z.object({
      channel: z.object({ _id: id, name: z.string() }),
      documents: z.number(),
      versions: z.number(),
      bytes: z.number(),
      passages: z.number(),
    }),
  ),
  total: z.object({ documents: z.number(), bytes: z.number(), passages: z.number() }),
})
export type StorageUse = z.output<typeof storageUse>

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

const versionNumber = count(1, 1_000_000)
const ofVersion = z.object({ version: z.optional(versionNumber) })

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
  storage: endpoint({
    method: 'GET',
    path: '/documents/storage',
    access: 'canManageDocuments',
    summary: 'What the documents of each channel take up, at most 500 channels',
    reply: storageUse,
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
  bulk: endpoint({
    method: 'POST',
    path: '/documents/bulk',
    access: 'canManageDocuments',
    summary:
      'Approve, reject, reindex or delete several documents, each for itself; the action needs its own flag',
    body: bulkInput,
    reply: bulkResult,
  }),
  versions: endpoint({
    method: 'GET',
    path: '/documents/:id/versions',
    access: 'canManageDocuments',
    summary: 'The versions of a document, newest first',
    params: idParams,
    reply: z.array(documentVersion),
  }),
  replace: endpoint({
    method: 'POST',
    path: '/documents/:id/versions',
    access: 'canUploadDocuments',
    limit: 'upload',
    summary: 'Upload a new version of a document; an approved one answers on until the new one is approved',
    params: idParams,
    upload: { field: 'file', kind: 'document', fields: z.object({}) },
    reply: document,
  }),
  approve: endpoint({
    method: 'PUT',
    path: '/documents/:id/approve',
    access: 'canApproveDocuments',
    summary: 'Approve a pending document; refused when it is no longer the version that was seen',
    params: idParams,
    query: ofVersion,
    reply: document,
  }),
  reject: endpoint({
    method: 'PUT',
    path: '/documents/:id/reject',
    access: 'canRejectDocuments',
    summary: 'Reject a pending document; an approved version before it stands again',
    params: idParams,
    query: ofVersion,
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
    summary: 'The original file, of an earlier version by its number',
    params: idParams,
    query: ofVersion,
    reply: 'file',
  }),
  text: endpoint({
    method: 'GET',
    path: '/documents/:id/text',
    access: 'signed-in',
    summary: 'A document’s text as it was read, from `start`, at most 200,000 characters',
    params: idParams,
    query: z.object({
      start: z.optional(z.coerce.number().check(z.int(), z.gte(0))),
      version: z.optional(versionNumber),
    }),
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
  propose: endpoint({
    method: 'POST',
    path: '/channels/:id/proposals',
    access: 'signed-in',
    limit: 'upload',
    summary: 'Put a document forward in a channel of one’s own that takes proposals',
    params: idParams,
    upload: { field: 'file', kind: 'document', fields: z.object({}) },
    reply: proposal,
  }),
  proposals: endpoint({
    method: 'GET',
    path: '/channels/:id/proposals',
    access: 'signed-in',
    summary: 'What one has put forward in a channel, newest first, at most 100',
    params: idParams,
    reply: z.array(proposal),
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/channels/:id/proposals/:documentId',
    access: 'signed-in',
    summary: 'Withdraw a document that one put forward, before it is reviewed',
    params: z.object({ id, documentId: id }),
    reply: message,
  }),
} as const
