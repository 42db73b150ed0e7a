import { authApi } from '@lyceum/contract/auth'
import { type Connections, connectionsApi } from '@lyceum/contract/connections'
import { statusApi } from '@lyceum/contract/status'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { createConnections } from '#testing/settings-samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { ConnectionsSection } from './ConnectionsSection.tsx'

let api: FakeApi
beforeEach(() => {
  const admin = anAdmin({ isSystemAdmin: true })
  api = fakeApi()
    .on(authApi.me, () => admin)
    .on(connectionsApi.get, () => createConnections())
    .on(connectionsApi.check, () => ({ ok: true, words: ['It answered.'], milliseconds: 1 }))
  signIn(admin)
})

function visit(connections?: Connections) {
  if (connections) api.on(connectionsApi.get, () => connections)
  const page = (
    <>
      <ResultBanner />
      <ConnectionsSection />
    </>
  )
  return renderPage(page, { at: '/admin/settings?section=connections' }).user
}
function card(name: 'Model' | 'Embedding server' | 'Reranker') {
  return screen.findByRole('region', { name }).then(within)
}

const stored = {
  source: 'stored',
  baseUrl: 'http://localhost:8080/v1',
  hasApiKey: true,
  model: 'bge-m3',
} as const

describe('the embedding server', () => {
  it('needs an address and a model', async () => {
    const user = visit()
    const embeddings = await card('Embedding server')
    embeddings.getByText('Not set up')
    const save = embeddings.getByRole('button', { name: 'Save embedding server' })
    expect(save.getAttribute('aria-description')).toBe('Nothing to save')
    await user.click(save)
    const test = embeddings.getByRole('button', { name: 'Test embeddings' })
    expect(test.getAttribute('aria-description')).toBe('Nothing to test')
    await user.click(test)
    expect(embeddings.queryByText(/^Enter/)).toBeNull()
    await user.type(embeddings.getByLabelText('API key'), 'key')
    await user.click(save)
    await embeddings.findByText('Enter an address such as http://localhost:8080/v1.')
    embeddings.getByText('Enter the name of the model.')
    expect(document.activeElement).toBe(embeddings.getByLabelText('Address'))
    expect(api.unhandledCalls).toEqual([])
  })

  it('is tested without being saved, and says why it cannot be used', async () => {
    api.on(connectionsApi.testEmbeddings, () => ({
      ok: false,
      words: ['The server at http://localhost:8080/v1 refused the API key.'],
      milliseconds: 1,
    }))
    const user = visit()
    const embeddings = await card('Embedding server')
    await user.type(embeddings.getByLabelText('Address'), 'http://localhost:8080/v1/')
    await user.type(embeddings.getByLabelText('API key'), 'wrong')
    await user.type(embeddings.getByLabelText('Embedding model'), 'bge-m3')
    await user.type(embeddings.getByLabelText('Query prefix'), 'query: ')
    await user.click(embeddings.getByRole('button', { name: 'Test embeddings' }))
    await embeddings.findByText(/refused the API key/)
    expect(api.calls(connectionsApi.testEmbeddings)[0]?.body).toEqual({
      baseUrl: 'http://localhost:8080/v1',
      apiKey: 'wrong',
      model: 'bge-m3',
      queryPrefix: 'query:',
      passagePrefix: '',
    })
    expect(api.calls(connectionsApi.setEmbeddings)).toEqual([])
  })

  it('is tried out once it is saved, and keeps its key', async () => {
    api.on(connectionsApi.setEmbeddings, () => createConnections({ embeddings: stored }))
    const user = visit(createConnections({ embeddings: stored }))
    const embeddings = await card('Embedding server')
    await user.type(embeddings.getByLabelText('Embedding model'), '.1')
    await user.click(embeddings.getByRole('button', { name: 'Save embedding server' }))
    await embeddings.findByText('It answered.')
    expect(api.calls(connectionsApi.setEmbeddings)[0]?.body).not.toHaveProperty('apiKey')
    expect(api.calls(connectionsApi.check).map(({ params }) => params)).toEqual([{ part: 'embeddings' }])
    await user.click(embeddings.getByRole('checkbox', { name: 'Use no key' }))
    await user.click(embeddings.getByRole('button', { name: 'Save embedding server' }))
    await waitFor(() => expect(api.calls(connectionsApi.setEmbeddings)[1]?.body).toHaveProperty('apiKey', ''))
  })

  it('shows what the server rejects under the field', async () => {
    const fields = { baseUrl: 'This host name was not found.' }
    api.on(connectionsApi.setEmbeddings, () => refuse('validation.failed', fields))
    const user = visit(createConnections({ embeddings: stored }))
    const embeddings = await card('Embedding server')
    await user.type(embeddings.getByLabelText('Embedding model'), '.1')
    await user.click(embeddings.getByRole('button', { name: 'Save embedding server' }))
    await embeddings.findByText('This host name was not found.')
  })

  it('turns off the embedding model of the language model', async () => {
    visit(createConnections({ embeddings: stored }))
    const model = await card('Model')
    expect(model.getByLabelText('Embedding model')).toHaveProperty('disabled', true)
    model.getByText('Not used, because an embedding server is set up.')
  })

  it('is read-only if the environment sets it', async () => {
    const variables = { baseUrl: 'EMBEDDING_BASE_URL', queryPrefix: 'EMBEDDING_QUERY_PREFIX' }
    api.on(statusApi.test, () => ({ ok: true, words: ['It answered.'], milliseconds: 1 }))
    const user = visit(createConnections({ embeddings: { ...stored, source: 'environment', variables } }))
    const embeddings = await card('Embedding server')
    embeddings.getByText('Set by EMBEDDING_BASE_URL on the server, so it cannot be changed here.')
    embeddings.getByText('Set by EMBEDDING_QUERY_PREFIX on the server')
    expect(embeddings.queryByRole('button', { name: 'Save embedding server' })).toBeNull()
    await user.click(embeddings.getByRole('button', { name: 'Test embeddings' }))
    await embeddings.findByText('It answered.')
  })

  it('is removed after a confirmation', async () => {
    api.on(connectionsApi.remove, () => createConnections())
    const user = visit(createConnections({ embeddings: stored }))
    const embeddings = await card('Embedding server')
    await user.click(embeddings.getByRole('button', { name: 'Remove' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove the embedding server?' })
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }))
    await screen.findByText('Connection removed')
    expect(api.calls(connectionsApi.remove)[0]?.params).toEqual({ part: 'embeddings' })
  })
})

describe('the reranker', () => {
  it('needs an address', async () => {
    const user = visit()
    const reranker = await card('Reranker')
    await user.type(reranker.getByLabelText('API key'), 'key')
    await user.click(reranker.getByRole('button', { name: 'Save reranker' }))
    await reranker.findByText('Enter an address such as http://localhost:8080/v1/rerank.')
    expect(api.unhandledCalls).toEqual([])
  })

  it('is tested without being saved, then saved', async () => {
    const reranking = { source: 'stored', url: 'http://localhost:8080/rerank', hasApiKey: true } as const
    api
      .on(connectionsApi.testReranking, () => ({ ok: true, words: ['It ranks.'], milliseconds: 1 }))
      .on(connectionsApi.setReranking, () => {
        api.on(connectionsApi.get, () => createConnections({ reranking }))
        return createConnections({ reranking })
      })
    const user = visit()
    const reranker = await card('Reranker')
    await user.type(reranker.getByLabelText('Address'), reranking.url)
    await user.click(reranker.getByRole('button', { name: 'Test reranker' }))
    await reranker.findByText('It ranks.')
    expect(api.calls(connectionsApi.setReranking)).toEqual([])
    await user.click(reranker.getByRole('button', { name: 'Save reranker' }))
    await screen.findByText('Connection saved')
    expect(api.calls(connectionsApi.setReranking)[0]?.body).toEqual({ url: reranking.url, model: '' })
    reranker.getByText('A key is stored. Leave this empty to keep it.')
  })
})
