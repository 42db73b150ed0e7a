import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { stripInvisible } from './invisible-text.ts'
import { confirmation, id, idParams, intParam, isoTimestamp, list, paging } from './wire.ts'

export const documentKinds = ['pdf', 'doc', 'docx', 'txt'] as const
export const documentKind = z.enum(documentKinds)
export type DocumentKind = z.output<typeof documentKind>

export const mimeTypes: Record<DocumentKind, string> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  txt: 'text/plain',
}

/** The `accept` attribute of the file input. */
export const acceptedFiles = documentKinds.map((kind) => `.${kind}`).join(',')

export const uploadDescription = 'Uploaded from channel management by admin'

export const documentStatus = z.enum(['pending', 'approved', 'rejected'])
export type DocumentStatus = z.output<typeof documentStatus>

/** The index state of an approved document; 'none' while it is not approved. */
export const indexState = z.enum(['none', 'waiting', 'extracting', 'embedding', 'ready', 'failed'])
export type IndexState = z.output<typeof indexState>

export const documentIndexFilter = z.enum(['failed', 'without-vectors'])
export type DocumentIndexFilter = z.output<typeof documentIndexFilter>

/** Whether indexing is still in progress. The client polls until it is not. */
export function isIndexing(state: IndexState): boolean {
  return state === 'waiting' || state === 'extracting' || state === 'embedding'
}

export const rejectionReasonMaxLength = 500

/** Why a document is rejected, for its uploader. Plain text, may be empty. */
export const rejectionReason = z
  .string()
  .check(
    z.overwrite(stripInvisible),
    z.trim(),
    z.maxLength(rejectionReasonMaxLength, `At most ${rejectionReasonMaxLength} characters`),
  )

const namedReference = z.object({ _id: z.optional(z.string()), name: z.string() })

const indexProgress = z.object({
  state: indexState,
  percent: z.number(),
  attempts: z.number(),
  /** Why indexing failed, as a sentence. */
  reason: z.nullable(z.string()),
  /** Indexing failed because of the file, so that it would fail again. */
  needsOtherFile: z.optional(z.boolean()),
})
export type IndexProgress = z.output<typeof indexProgress>

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
  createdAt: isoTimestamp,
  channel: namedReference,
  uploadedBy: namedReference,
  approvedBy: z.nullable(namedReference),
  approvedAt: z.nullable(isoTimestamp),
  rejectedBy: z.nullable(namedReference),
  rejectedAt: z.nullable(isoTimestamp),
  /** Null unless the document is rejected and a reason was given. */
  rejectionReason: z.optional(z.nullable(z.string())),
  /** The version that is shown and reviewed, and the number of versions so far. */
  version: z.object({ number: z.number(), count: z.number() }),
  /** The version that replies use now: an earlier one while a later one is pending or being indexed. */
  answering: z.nullable(z.object({ number: z.number() })),
  /** Whether a member proposed it. */
  isProposal: z.boolean(),
  index: z.extend(indexProgress, {
    passages: z.nullable(z.number()),
    pages: z.nullable(z.number()),
    /** Whether replies use the document now. During a reindex they use its earlier index. */
    answers: z.boolean(),
  }),
})
export type Document = z.output<typeof document>

/** 'approved' means approved but not indexed yet: replies still use the previous version. */
export const versionState = z.enum(['pending', 'approved', 'answering', 'superseded', 'rejected'])
export type VersionState = z.output<typeof versionState>

export const documentVersion = z.object({
  number: z.number(),
  originalName: z.string(),
  fileType: documentKind,
  fileSize: z.number(),
  uploadedBy: namedReference,
  createdAt: isoTimestamp,
  state: versionState,
  /** The user who approved or rejected it. */
  decidedBy: z.nullable(namedReference),
  decidedAt: z.nullable(isoTimestamp),
  rejectionReason: z.optional(z.nullable(z.string())),
  /** Only of the approved version, and only while a newer one is pending: otherwise the document has it. */
  index: z.optional(indexProgress),
  /** False after the file was deleted, as for a rejected version of an approved document. */
  isKept: z.boolean(),
})
export type DocumentVersion = z.output<typeof documentVersion>

/** A proposed document as its author sees it. */
export const proposal = z.object({
  _id: id,
  title: z.string(),
  originalName: z.string(),
  fileSize: z.number(),
  status: documentStatus,
  createdAt: isoTimestamp,
  decidedAt: z.nullable(isoTimestamp),
  rejectionReason: z.optional(z.nullable(z.string())),
  /** Replies use it, or a later version of it. */
  isInUse: z.optional(z.boolean()),
})
export type Proposal = z.output<typeof proposal>

export const bulkAction = z.enum(['approve', 'reject', 'undo-reject', 'reindex', 'delete'])
export type BulkAction = z.output<typeof bulkAction>
export const bulkMaximum = 200

export const bulkInput = z
  .object({
    action: bulkAction,
    ids: z.array(id).check(z.minLength(1), z.maxLength(bulkMaximum)),
    /** The version numbers that the user saw, in the order of `ids`. Documents with a newer version are refused. */
    versions: z.optional(z.array(z.number())),
    /** For rejections: applies to all documents. */
    reason: z.optional(rejectionReason),
  })
  .check(
    z.refine(({ ids, versions }) => !versions || versions.length === ids.length, {
      error: 'Send one version per document',
      path: ['versions'],
    }),
    z.refine(({ action, reason }) => action === 'reject' || reason === undefined, {
      error: 'Only a rejection has a reason',
      path: ['reason'],
    }),
  )
export type BulkInput = z.output<typeof bulkInput>

export const bulkResult = z.object({
  done: z.array(id),
  /** Documents that were not changed, and why. `title` is null when the document does not exist. */
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

/** The actions that a document's status allows. The caller's permissions are checked separately. */
export function getAllowedActions(status: DocumentStatus, kind: DocumentKind) {
  return {
    approve: status === 'pending',
    reject: status === 'pending',
    reindex: status === 'approved',
    download: true,
    preview: status !== 'rejected' || kind === 'pdf',
    delete: true,
  }
}

/** The kinds of block that the extracted text consists of. A table has one line per row, "label: cell | label: cell". */
export const textBlockKind = z.enum(['heading', 'paragraph', 'list', 'table', 'code'])
export type TextBlockKind = z.output<typeof textBlockKind>

/** The extracted text of a document, by page where the format has pages. Offsets refer to the whole text. */
export const documentText = z.object({
  title: z.string(),
  fileType: documentKind,
  pages: z.array(z.object({ page: z.nullable(z.number()), start: z.number(), text: z.string() })),
  /** The blocks in these pages. A block at their start or end may be cut. */
  blocks: z.optional(
    z.array(
      z.object({
        kind: textBlockKind,
        /** Of a heading: 1 is the outermost. */
        level: z.optional(z.number()),
        start: z.number(),
        end: z.number(),
      }),
    ),
  ),
  total: z.number(),
})
export type DocumentText = z.output<typeof documentText>

export const uploadFields = z.object({
  channelId: id,
  title: z._default(z.string().check(z.maxLength(300)), ''),
  description: z._default(z.string().check(z.maxLength(2000)), ''),
})

const versionNumber = intParam(1, 1_000_000)
const versionQuery = z.object({ version: z.optional(versionNumber) })

export const documentsApi = {
  list: endpoint({
    method: 'GET',
    path: '/documents',
    access: 'canManageDocuments',
    summary: 'List documents by status and channel',
    query: z.object({
      ...paging,
      status: z.optional(documentStatus),
      channelId: z.optional(id),
      uploaderId: z.optional(id),
      search: z.optional(z.string().check(z.maxLength(200))),
      /**
       * `failed`: only documents whose current version could not be indexed. `without-vectors`: only those in use that can be
       * found by keywords only although there is an embedding model, at most 500.
       */
      index: z.optional(documentIndexFilter),
    }),
    reply: list(document),
  }),
  storage: endpoint({
    method: 'GET',
    path: '/documents/storage',
    access: 'canManageDocuments',
    summary: 'Get the storage used by each channel’s documents, for at most 500 channels',
    reply: storageUse,
  }),
  get: endpoint({
    method: 'GET',
    path: '/documents/:id',
    access: 'canManageDocuments',
    summary: 'Get a document',
    params: idParams,
    reply: document,
  }),
  upload: endpoint({
    method: 'POST',
    path: '/documents',
    access: 'canUploadDocuments',
    limit: 'upload',
    summary: 'Upload a document to a channel; it is pending until approved',
    upload: { field: 'file', kind: 'document', fields: uploadFields },
    reply: document,
  }),
  bulk: endpoint({
    method: 'POST',
    path: '/documents/bulk',
    access: 'canManageDocuments',
    summary:
      'Approve, reject, reindex or delete several documents independently, or undo their rejection; requires the permission for the action',
    body: bulkInput,
    reply: bulkResult,
  }),
  versions: endpoint({
    method: 'GET',
    path: '/documents/:id/versions',
    access: 'canManageDocuments',
    summary: 'List the versions of a document, newest first',
    params: idParams,
    reply: z.array(documentVersion),
  }),
  replace: endpoint({
    method: 'POST',
    path: '/documents/:id/versions',
    access: 'canUploadDocuments',
    limit: 'upload',
    summary:
      'Upload a new version of a document; replies use the approved version until the new one is approved and indexed',
    params: idParams,
    upload: { field: 'file', kind: 'document', fields: z.object({}) },
    reply: document,
  }),
  approve: endpoint({
    method: 'PUT',
    path: '/documents/:id/approve',
    access: 'canApproveDocuments',
    summary: 'Approve a pending document; fails if a newer version has replaced the one you saw',
    params: idParams,
    query: versionQuery,
    reply: document,
  }),
  reject: endpoint({
    method: 'PUT',
    path: '/documents/:id/reject',
    access: 'canRejectDocuments',
    summary: 'Reject a pending document; its previous approved version is restored',
    params: idParams,
    query: versionQuery,
    body: z.object({ reason: z.optional(rejectionReason) }),
    reply: document,
  }),
  undoReject: endpoint({
    method: 'POST',
    path: '/documents/:id/reject/undo',
    access: 'canRejectDocuments',
    summary: 'Undo your own rejection within two minutes; the document is pending again',
    params: idParams,
    query: versionQuery,
    reply: document,
  }),
  reindex: endpoint({
    method: 'POST',
    path: '/documents/:id/reindex',
    access: 'canReindexDocuments',
    summary:
      'Rebuild the index of an approved document, or of its approved version while a newer one is pending; the current index stays in use until then',
    params: idParams,
    reply: document,
  }),
  download: endpoint({
    method: 'GET',
    path: '/documents/:id/download',
    access: 'signed-in',
    summary: 'Download the original file of the current or an earlier version',
    params: idParams,
    query: versionQuery,
    reply: 'file',
    contentTypes: Object.values(mimeTypes),
  }),
  text: endpoint({
    method: 'GET',
    path: '/documents/:id/text',
    access: 'signed-in',
    summary:
      'Get the extracted text from `start`, at most 200,000 characters. Without canDownloadDocuments or canPreviewDocuments, it has no pages until the document is indexed',
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
    reply: confirmation,
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
    summary: 'Propose a document in one of your channels that accepts proposals',
    params: idParams,
    upload: { field: 'file', kind: 'document', fields: z.object({}) },
    reply: proposal,
  }),
  proposals: endpoint({
    method: 'GET',
    path: '/channels/:id/proposals',
    access: 'signed-in',
    summary: 'List your proposals in a channel, newest first, at most 100',
    params: idParams,
    reply: z.array(proposal),
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/channels/:id/proposals/:documentId',
    access: 'signed-in',
    summary: 'Withdraw your proposal before it is reviewed',
    params: z.object({ id, documentId: id }),
    reply: confirmation,
  }),
} as const
