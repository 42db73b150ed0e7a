/** Opens the form of a channel at the field of its ready-made assistant. */
export function assistantFieldPath(channelId: string): string {
  return `/admin/channels?edit=${encodeURIComponent(channelId)}&field=assistant`
}
