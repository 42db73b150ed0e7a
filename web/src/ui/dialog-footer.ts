/** The footers of the open dialogs, in the order in which they opened. */
let footers: readonly HTMLElement[] = []

function setHeight(): void {
  const { style } = document.documentElement
  const last = footers.at(-1)
  if (last === undefined) style.removeProperty('--dialog-footer')
  else style.setProperty('--dialog-footer', `${last.offsetHeight}px`)
}

/** Ref of a dialog's footer. On phones, toasts are above the footer of the last dialog that opened. */
export function measureDialogFooter(footer: HTMLElement): () => void {
  const observer = new ResizeObserver(setHeight)
  footers = [...footers, footer]
  observer.observe(footer)
  return () => {
    observer.disconnect()
    footers = footers.filter((other) => other !== footer)
    setHeight()
  }
}
