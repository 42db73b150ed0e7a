const approvedDocumentsPath = '/admin/documents?status=approved'

/** The approved documents that could not be indexed. */
export const failedDocumentsPath = `${approvedDocumentsPath}&index=failed`

/** The documents in use that can be found by keywords only, although there is an embedding model. */
export const withoutVectorsPath = `${approvedDocumentsPath}&index=without-vectors`

/** The failed documents of a channel. */
export function failedDocumentsPathOf(channelId: string): string {
  return `${failedDocumentsPath}&channelId=${encodeURIComponent(channelId)}`
}
