/** Hands a file over to the browser, which keeps it where it keeps downloads. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has its own hold on the file by the next turn.
  setTimeout(() => URL.revokeObjectURL(address), 0)
}
