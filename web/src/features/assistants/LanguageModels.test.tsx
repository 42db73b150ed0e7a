import { type AssistantStatus, assistantsApi } from '@lyceum/contract/assistants'
import { authApi } from '@lyceum/contract/auth'
import { languageModels } from '@lyceum/contract/channels'
import { getPermissions } from '@lyceum/contract/permissions'
import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { anAssistantStatus, anExtractiveStatus } from '#testing/assistant-samples.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { anAdmin, signIn } from '#testing/users.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { LanguageModels } from './LanguageModels.tsx'

let api: FakeApi
let status: AssistantStatus

function visit(): UserEvent {
  return renderPage(
    <>
      <ResultBanner />
      <LanguageModels />
    </>,
  ).user
}

async function row(label: string) {
  const header = await screen.findByRole('rowheader', {
    name: new RegExp(`(^|Label)${label.replace('*', '\\*')}$`),
  })
  return within(header.closest('tr') as HTMLElement)
}
function field(label: string): Promise<HTMLInputElement> {
  return screen.findByLabelText<HTMLInputElement>(`Model for ${label}`)
}
function save(user: UserEvent): Promise<void> {
  return user.click(screen.getByRole('button', { name: 'Save Models' }))
}

/** Applies and returns the changes it receives, like the server. */
function acceptUpdates(): void {
  api.on(assistantsApi.setModelMap, ({ body }) => {
    const entries = Object.entries({ ...status.modelMap, ...body.map }).filter(([, model]) => model !== '')
    status = { ...status, modelMap: Object.fromEntries(entries) }
    return status
  })
}

beforeEach(() => {
  status = anAssistantStatus()
  api = fakeApi()
    .on(authApi.me, () => anAdmin())
    .on(assistantsApi.status, () => status)
  signIn(anAdmin())
})

describe('language models', () => {
  it('shows the current model of every label and where it was set', async () => {
    const note = 'o3-mini was retired on Oct 23, 2026. Replies come from gpt-5.6-sol.'
    const notes: Record<string, string> = {
      o1: 'Replies for o1 come from qwen3. This server offers no web search.',
      'o3-mini': note,
    }
    const answers: Record<string, string> = { 'gpt-4o-mini': 'phi-4', o1: 'qwen3', 'o3-mini': 'gpt-5.6-sol' }
    status = anAssistantStatus({
      models: languageModels.map((label) => ({
        label,
        answeredBy: answers[label] ?? label,
        note: notes[label] ?? null,
        offered: true,
      })),
      modelMap: { o1: 'qwen3' },
      environmentMap: { o1: 'llama3', 'gpt-4o-mini': 'phi-4' },
    })
    visit()
    screen.getByText('Loading the language models…')
    const ownModel = await row('gpt-4o')
    expect(ownModel.queryByText(/Set|Retired/)).toBeNull()
    const here = await row('o1')
    here.getByText('qwen3')
    here.getByText('Set here')
    here.getByText('This server offers no web search.')
    const environment = await row('gpt-4o-mini')
    environment.getByText('Set by MODEL_MAP')
    const retired = await row('o3-mini')
    expect(retired.queryByText(/^Set/)).toBeNull()
    retired.getByText(note)
    expect(screen.getAllByRole('rowheader')).toHaveLength(languageModels.length + 1)
    expect((await field('o1')).value).toBe('qwen3')
    expect((await field('o1')).placeholder).toBe('llama3')
    expect((await field('gpt-4o')).placeholder).toBe('gpt-4o')
    expect((await field('gpt-4o-mini')).value).toBe('')
    expect((await field('gpt-4o-mini')).placeholder).toBe('phi-4')
  })

  it('shows which models are set for all others', async () => {
    const models = languageModels.map((label) => ({ label, answeredBy: 'qwen3', note: null, offered: true }))
    status = anAssistantStatus({ models, modelMap: { '*': 'qwen3' }, environmentMap: { o1: 'qwen3' } })
    visit()
    ;(await row('gpt-4o')).getByText('Set here for all others')
    ;(await row('o1')).getByText('Set by MODEL_MAP')
  })

  it('saves the offered labels and requires at least one', async () => {
    const models = languageModels.map((label) => ({
      label,
      answeredBy: label,
      note: null,
      offered: label === 'o1' || label === 'gpt-4o',
    }))
    status = anAssistantStatus({ models })
    api.on(assistantsApi.setModelMap, () => status)
    const user = visit()
    function offer(label: string) {
      return screen.getByRole('checkbox', { name: `Offer ${label}` })
    }
    await screen.findByRole('checkbox', { name: 'Offer o1' })
    expect(screen.getAllByRole('checkbox')).toHaveLength(languageModels.length)
    await user.click(offer('o1'))
    await user.click(offer('gpt-4o'))
    screen.getByText('Offer at least one model.')
    await user.click(screen.getByRole('button', { name: 'Save Models' }))
    expect(api.calls(assistantsApi.setModelMap)).toEqual([])
    await user.click(offer('o1-pro'))
    await user.click(screen.getByRole('button', { name: 'Save Models' }))
    await screen.findByText('Language models updated')
    expect(api.calls(assistantsApi.setModelMap)[0]?.body).toEqual({ map: {}, offered: ['o1-pro'] })
  })

  it('saves only changed entries', async () => {
    acceptUpdates()
    status = anAssistantStatus({ modelMap: { o1: 'qwen3', '*': 'phi-4' } })
    const user = visit()
    await user.type(await field('gpt-4o'), 'llama3.3')
    await user.clear(await field('o1'))
    await save(user)
    await screen.findByText('Language models updated')
    expect(api.calls(assistantsApi.setModelMap)[0]?.body).toEqual({ map: { 'gpt-4o': 'llama3.3', o1: '' } })
    expect((await field('gpt-4o')).value).toBe('llama3.3')
    await user.type(await field('all others'), '-mini')
    await save(user)
    expect(api.calls(assistantsApi.setModelMap)[1]?.body).toEqual({ map: { '*': 'phi-4-mini' } })
  })

  it('shows an invalid name and a failed save', async () => {
    api.on(assistantsApi.setModelMap, () => refuse('internal'))
    const user = visit()
    await user.type(await field('o1'), 'two words')
    await save(user)
    screen.getByText('Enter a model name without spaces, at most 200 characters.')
    expect(api.calls(assistantsApi.setModelMap)).toEqual([])
    await user.clear(await field('o1'))
    await user.type(await field('o1'), 'one-word')
    await save(user)
    await screen.findByText('Failed to update the language models')
    expect((await field('o1')).value).toBe('one-word')
  })

  it('resets one label and keeps other entries', async () => {
    acceptUpdates()
    status = anAssistantStatus({ modelMap: { o1: 'qwen3' } })
    const user = visit()
    await user.type(await field('gpt-4o'), 'llama3.3')
    expect(screen.queryByRole('button', { name: 'Reset gpt-4o' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Reset o1' }))
    await screen.findByText('Language models updated')
    expect(api.calls(assistantsApi.setModelMap).map(({ body }) => body)).toEqual([{ map: { o1: '' } }])
    expect((await field('o1')).value).toBe('')
    expect(document.activeElement).toBe(await field('o1'))
    expect(screen.queryByRole('button', { name: 'Reset o1' })).toBeNull()
    expect((await field('gpt-4o')).value).toBe('llama3.3')
    await save(user)
    expect(api.calls(assistantsApi.setModelMap)[1]?.body).toEqual({ map: { 'gpt-4o': 'llama3.3' } })
  })

  it('explains how replies work without a model endpoint', async () => {
    status = anExtractiveStatus()
    visit()
    await screen.findByText(/replies quote the closest passages from approved documents/)
    expect(screen.queryByRole('columnheader', { name: 'Current model' })).toBeNull()
    expect((await field('gpt-4o')).placeholder).toBe('')
  })

  it('shows an error when it cannot be loaded, and retries', async () => {
    api.on(assistantsApi.status, () => refuse('internal'))
    const user = visit()
    await screen.findByText('The language models could not be loaded.')
    api.on(assistantsApi.status, () => status)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await field('o1')
  })

  it('is read-only without canManageSettings', async () => {
    const overrides = { canManageSettings: false }
    const admin = anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) })
    api.on(authApi.me, () => admin)
    signIn(admin)
    status = anAssistantStatus({ modelMap: { o1: 'qwen3' } })
    const user = visit()
    expect((await field('o1')).readOnly).toBe(true)
    await save(user)
    await screen.findByText('You do not have permission to manage settings')
    await user.click(screen.getByRole('button', { name: 'Reset o1' }))
    expect(api.unhandledCalls).toEqual([])
  })
})
