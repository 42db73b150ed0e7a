import '#theme/theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { EmbedApp } from './app/embed-app.tsx'
import { reloadWhenOutdated } from './app/reload-outdated.ts'

reloadWhenOutdated()

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no root element')
createRoot(root).render(
  <StrictMode>
    <EmbedApp />
  </StrictMode>,
)
