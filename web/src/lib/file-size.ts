/** A size as people read it: B, KB or MB with two decimals. */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kilobytes = bytes / 1024
  // What would round to 1024.00 KB is a megabyte.
  if (kilobytes < 1023.995) return `${kilobytes.toFixed(2)} KB`
  return `${(kilobytes / 1024).toFixed(2)} MB`
}
