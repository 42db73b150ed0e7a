import '#theme/theme.css'
import { EmbedApp } from './app/embed-app.tsx'
import { reloadWhenOutdated } from './app/reload-outdated.ts'
import { renderApplication } from './app/render.tsx'

reloadWhenOutdated()
renderApplication(<EmbedApp />)
