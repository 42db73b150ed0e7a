import { type Document, type DocumentVersion, documentsApi } from '@lyceum/contract/documents'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { channelsKey } from '#features/channels/queries.ts'
import { log } from '#lib/log.ts'
import { saveFile } from '#lib/save-file.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { dropDocument, hasDocument, mergeDocument, refreshDocument } from './document-cache.ts'
import { type DocumentPage, documentListsKey, documentVersionsKey } from './queries.ts'

interface Outcome<Subject> {
  readonly done: string
  readonly failed: string
  /** Reports a success in another way than by the banner. */
  readonly reportDone?: (subject: Subject) => void
}

/** Shows a failure, or only logs it on a quiet screen. */
export function reportFailure(isQuiet: boolean, text: string, error: unknown): void {
  if (isQuiet) log(text, error)
  else banner.error(messageOf(error, text))
}

/** Whether another administrator has already decided, or the document was deleted. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 409 || error.status === 404)
}

function useDocumentAction<Subject extends { document: Document }>(
  isQuiet: boolean,
  outcome: Outcome<Subject>,
  perform: (client: QueryClient, subject: Subject) => Promise<void>,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (subject: Subject) => perform(client, subject),
    onSuccess: (_, subject) => {
      if (outcome.reportDone === undefined) banner.success(outcome.done)
      else outcome.reportDone(subject)
    },
    onError: (error, { document: { _id } }) => {
      reportFailure(isQuiet, outcome.failed, error)
      // Refresh the row to show who decided.
      if (isConflict(error)) {
        refreshDocument(client, _id).catch((cause: unknown) =>
          log('A document could not be refreshed', cause),
        )
      }
    },
  })
}

function toParams({ _id }: Document) {
  return { params: { id: _id } }
}

/** Sends the version that the user saw, so that the decision does not apply to a newer one. */
function withSeenVersion(document: Document) {
  return {
    ...toParams(document),
    query: { version: document.version.number },
  }
}

interface Subject {
  document: Document
}

interface Rejection extends Subject {
  /** Empty without a reason. */
  reason: string
}

interface Download extends Subject {
  /** Defaults to the current version. */
  version?: Pick<DocumentVersion, 'number' | 'originalName'>
}

function useDownload(isQuiet: boolean) {
  return useDocumentAction(isQuiet, texts.documents.download, async (_, { document, version }: Download) => {
    const query = { version: version?.number ?? document.version.number }
    const file = await call(documentsApi.download, { ...toParams(document), query })
    saveFile(file, version?.originalName ?? document.originalName)
  })
}

export function useUndoReject() {
  return useDocumentAction(false, texts.documents.undoReject, async (client, { document }: Subject) => {
    await mergeDocument(client, await call(documentsApi.undoReject, withSeenVersion(document)))
    // Lists that were fetched meanwhile lack the document.
    void client.invalidateQueries({
      queryKey: documentListsKey,
      predicate: ({ state }) => !hasDocument(state.data as DocumentPage | undefined, document._id),
    })
  })
}

/** Rebuilds the index of the approved version, which is the current one or, while that is pending, an earlier one. */
export function useReindex(isQuiet: boolean) {
  return useDocumentAction(isQuiet, texts.documents.reindex, async (client, { document }: Subject) => {
    await mergeDocument(client, await call(documentsApi.reindex, toParams(document)))
    await client.invalidateQueries({ queryKey: documentVersionsKey(document) })
  })
}

/** The actions on a document. Each response updates the rows that show it. */
export function useDocumentActions(
  isQuiet: boolean,
  offerUndo: (rejected: Document) => void,
  reportApproval: (text: string) => void = banner.success,
) {
  const { approve } = texts.documents
  const approveOutcome = { ...approve, reportDone: () => reportApproval(approve.done) }
  const rejectOutcome = {
    ...texts.documents.reject,
    reportDone: ({ document }: Rejection) => offerUndo(document),
  }
  return {
    approve: useDocumentAction(isQuiet, approveOutcome, async (client, { document }: Subject) =>
      mergeDocument(client, await call(documentsApi.approve, withSeenVersion(document))),
    ),
    reject: useDocumentAction(isQuiet, rejectOutcome, async (client, { document, reason }: Rejection) => {
      const input = { ...withSeenVersion(document), body: reason === '' ? {} : { reason } }
      await mergeDocument(client, await call(documentsApi.reject, input))
    }),
    reindex: useReindex(isQuiet),
    download: useDownload(isQuiet),
    remove: useDocumentAction(isQuiet, texts.documents.remove, async (client, { document }: Subject) => {
      await call(documentsApi.remove, toParams(document))
      await dropDocument(client, document._id)
      void client.invalidateQueries({ queryKey: channelsKey })
    }),
  }
}

export type Actions = ReturnType<typeof useDocumentActions>
