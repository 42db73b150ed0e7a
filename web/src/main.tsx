import '#theme/theme.css'
import { App } from './app/app.tsx'
import { reloadWhenOutdated } from './app/reload-outdated.ts'
import { renderApplication } from './app/render.tsx'
import { loadPageAt } from './app/router.tsx'

reloadWhenOutdated()
await loadPageAt(location.pathname)
renderApplication(<App />)
