import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'

/** Renders an application into the page, as a transition: in short steps, so that a slow phone responds meanwhile. */
export function renderApplication(application: ReactNode): void {
  const container = document.getElementById('root')
  if (container === null) throw new Error('The page has no root element')
  const root = createRoot(container)
  startTransition(() => root.render(<StrictMode>{application}</StrictMode>))
}
