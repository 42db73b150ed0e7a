import { fileURLToPath } from 'node:url'
import { type Process, startProcess } from '../server-process.ts'

function getScriptPath(name: string): string {
  return fileURLToPath(new URL(`${name}.ts`, import.meta.url))
}

/** Starts the model stand-in, which answers everything with the same number of tokens at a fixed speed. */
export function startModel({ tokens, delayMs }: { tokens: number; delayMs: number }): Promise<Process> {
  return startProcess({
    script: getScriptPath('model'),
    env: { TOKENS: String(tokens), DELAY_MS: String(delayMs) },
    readyPath: '/v1/models',
  })
}

export function startRelay(modelUrl: string): Promise<Process> {
  return startProcess({ script: getScriptPath('relay'), env: { MODEL_URL: modelUrl }, readyPath: '/' })
}
