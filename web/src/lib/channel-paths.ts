/** Opens the form of a channel at the field of its ready-made assistant. */
export function assistantFieldPath(channelId: string): string {
  return `/admin/channels?edit=${encodeURIComponent(channelId)}&field=assistant`
}

/** Opens the upload of documents to a channel. */
export function uploadPath(channelId: string): string {
  return `/admin/channels?upload=${encodeURIComponent(channelId)}`
}

/** The documents of a channel that wait for approval, with the focus on the first decision. */
export function reviewPath(channelId: string): string {
  return `/admin/documents?channelId=${encodeURIComponent(channelId)}&focus=decision`
}
