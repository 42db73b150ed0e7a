/** A size in B, KB or MB. KB and MB have two decimals. */
export function formatFileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kilobytes = bytes / 1024
  // Sizes that would round to 1024.00 KB are shown in MB.
  if (kilobytes < 1023.995) return `${kilobytes.toFixed(2)} KB`
  return `${(kilobytes / 1024).toFixed(2)} MB`
}
