export const approvedDocumentsPath = '/admin/documents?status=approved'

/** The approved documents that could not be indexed. */
export const failedDocumentsPath = `${approvedDocumentsPath}&index=failed`
