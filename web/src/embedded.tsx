import '#theme/theme.css'
import { EmbeddedApp } from './app/embedded-app.tsx'
import { reloadWhenOutdated } from './app/reload-outdated.ts'
import { renderApplication } from './app/render.tsx'

reloadWhenOutdated()
renderApplication(<EmbeddedApp />)
