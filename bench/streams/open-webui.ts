import { mkdir } from 'node:fs/promises'
import { type Process, startProcess } from '../server-process.ts'
import type { StreamRequest } from './read-stream.ts'

/** Its executable, unless it is in the PATH. Install it with `pip install open-webui`. */
const command = process.env['OPEN_WEBUI'] ?? 'open-webui'

const json = { 'content-type': 'application/json' }

/** Creates the first account, which administers the installation. Returns its token. */
async function signUp({ url }: Process): Promise<string> {
  const account = { name: 'Bench', email: 'bench@example.org', password: 'lantern orchard 42' }
  const path = '/api/v1/auths/signup'
  const response = await fetch(url + path, { method: 'POST', headers: json, body: JSON.stringify(account) })
  if (!response.ok) throw new Error(`Open WebUI: ${path} returned ${response.status}`)
  return ((await response.json()) as { token: string }).token
}

export interface OpenWebui {
  process: Process
  /** Its plain API, which stores nothing. */
  createRequest: (question: string) => StreamRequest
}

/** Starts Open WebUI on an empty folder, without anything that it would have to download. */
export async function startOpenWebui(folder: string, modelUrl: string): Promise<OpenWebui> {
  await mkdir(folder, { recursive: true })
  const process = await startProcess({
    command,
    script: 'serve',
    env: {
      DATA_DIR: folder,
      HOME: folder,
      WEBUI_SECRET_KEY: 'bench',
      OPENAI_API_BASE_URL: modelUrl,
      OPENAI_API_KEY: 'none',
      ENABLE_OLLAMA_API: 'false',
      OFFLINE_MODE: 'true',
      RAG_EMBEDDING_ENGINE: 'openai',
    },
    readyPath: '/health',
  })
  const token = await signUp(process)
  // It looks up the models before it accepts their names.
  await fetch(`${process.url}/api/models`, { headers: { authorization: `Bearer ${token}` } })
  return {
    process,
    createRequest: (question) => ({
      url: `${process.url}/api/chat/completions`,
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({
        model: 'gpt-4o',
        stream: true,
        messages: [{ role: 'user', content: question }],
      }),
      firstToken: 'Alpha',
      // It answers 500 when it has too little time to connect to the model.
      refusals: [500, 503],
    }),
  }
}
