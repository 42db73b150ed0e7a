const approvedDocumentsPath = '/admin/documents?status=approved'

/** The approved documents that could not be indexed. */
export const failedDocumentsPath = `${approvedDocumentsPath}&index=failed`

/** Those of a channel. */
export function failedDocumentsPathOf(channelId: string): string {
  return `${failedDocumentsPath}&channelId=${encodeURIComponent(channelId)}`
}
