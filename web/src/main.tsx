import '#theme/theme.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { reloadWhenOutdated } from './app/reload-outdated.ts'
import { loadPageAt } from './app/router.tsx'

reloadWhenOutdated()

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no root element')

await loadPageAt(location.pathname)
const application = createRoot(root)
// A transition is rendered in short steps, so that a slow phone responds to input meanwhile.
startTransition(() => {
  application.render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
})
