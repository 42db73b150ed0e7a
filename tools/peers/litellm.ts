import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../../bin/pinned-node.mjs'
import { findFreePort } from '../../server/src/testing/spawn-server.ts'
import { type PeerProcess, startPeer } from './process.ts'
import { createPythonEnvironment } from './python.ts'

const requirements = fileURLToPath(new URL('litellm-requirements.txt', import.meta.url))
const environment = join(root, 'node_modules', '.cache', 'litellm')
const complete = join(environment, '.complete')

export const liteLlmKey = 'sk-peer-test'

/** Installs LiteLLM into a Python environment of its own, once for each checkout. */
function requireLiteLlm(): string {
  const program = join(environment, 'bin', 'litellm')
  if (existsSync(complete)) return program
  try {
    createPythonEnvironment(environment, ['--requirement', requirements])
  } catch (cause) {
    throw new Error('This test needs LiteLLM, which could not be installed with Python’s venv and pip.', {
      cause,
    })
  }
  writeFileSync(complete, '')
  return program
}

export interface LiteLlm extends PeerProcess {
  /** The value for OPENAI_BASE_URL. */
  url: string
}

/** Starts LiteLLM's proxy with models that answer with a fixed text or a fixed error. */
export async function startLiteLlm(
  folder: string,
  mocks: Record<string, string | number[]>,
  port?: number,
): Promise<LiteLlm> {
  const program = requireLiteLlm()
  const config = join(folder, 'litellm.json')
  const models = Object.entries(mocks).map(([name, mock]) => ({
    model_name: name,
    litellm_params: { model: `openai/${name}`, api_key: 'none', mock_response: mock },
  }))
  // JSON is valid YAML, which LiteLLM expects.
  writeFileSync(
    config,
    JSON.stringify({
      model_list: models,
      litellm_settings: { num_retries: 0, telemetry: false },
      router_settings: { num_retries: 0 },
      general_settings: { master_key: liteLlmKey },
    }),
  )
  const chosen = port ?? (await findFreePort())
  const address = `http://127.0.0.1:${chosen}`
  const peer = await startPeer(
    program,
    ['--config', config, '--host', '127.0.0.1', '--port', String(chosen)],
    () =>
      fetch(`${address}/health/liveliness`).then(
        ({ ok }) => ok,
        () => false,
      ),
    // Otherwise it fetches a list of prices.
    { LITELLM_LOCAL_MODEL_COST_MAP: 'True', HOME: folder },
  )
  return { ...peer, url: `${address}/v1` }
}
