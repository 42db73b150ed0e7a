import { fileURLToPath } from 'node:url'
import { type Process, startProcess } from '../server-process.ts'

const scriptOf = (name: string): string => fileURLToPath(new URL(`${name}.ts`, import.meta.url))

/** The model stand-in, which answers everything with so many tokens at a pace. */
export const startModel = ({ tokens, delayMs }: { tokens: number; delayMs: number }): Promise<Process> =>
  startProcess({
    script: scriptOf('model'),
    env: { TOKENS: String(tokens), DELAY_MS: String(delayMs) },
    readyPath: '/v1/models',
  })

export const startRelay = (modelUrl: string): Promise<Process> =>
  startProcess({ script: scriptOf('relay'), env: { MODEL_URL: modelUrl }, readyPath: '/' })
