import { getPermissions } from '@lyceum/contract/permissions'
import { type AnswerChange, testQuestionsApi } from '@lyceum/contract/test-questions'
import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aDocument, anApprovedDocument } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { ChangesByApproval, ChangesByRemoval } from './AnswerChanges.tsx'

const quotes = [{ documentId: 'd1', title: 'Handbook', text: 'Doors close at nine.' }]
const lost: AnswerChange = {
  questionId: 'q1',
  question: 'When do doors close?',
  change: 'lost',
  before: { isRefused: false, quotes: [{ documentId: 'd1', title: 'Handbook', text: 'At eight.' }] },
  after: { isRefused: false, quotes },
}
let api: FakeApi

beforeEach(() => {
  api = fakeApi()
  signIn(anAdmin())
})

it('shows the answers after an approval only when asked', async () => {
  api.on(testQuestionsApi.compare, () => refuse('test.running'))
  const { user } = renderPage(<ChangesByApproval document={aDocument()} />)
  expect(api.calls(testQuestionsApi.compare)).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Try the test questions' }))
  await screen.findByText('A test run for this channel is already in progress. Please try again in a moment.')
  api.on(testQuestionsApi.compare, () => ({ total: 14, changes: [lost] }))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('1 of 14 test questions would be answered differently:')
  screen.getByText('Would fail')
  screen.getByText('Doors close at nine.')
  expect(api.calls(testQuestionsApi.compare).at(-1)?.body).toEqual({ change: 'approve' })
})

it('says that a channel has no test questions, or that nothing changes', async () => {
  api.on(testQuestionsApi.compare, () => ({ total: 0, changes: [] }))
  const { user } = renderPage(<ChangesByApproval document={aDocument()} />)
  await user.click(screen.getByRole('button', { name: 'Try the test questions' }))
  await screen.findByText('This channel has no test questions.')
  api.on(testQuestionsApi.compare, () => ({ total: 1, changes: [] }))
  renderPage(<ChangesByRemoval document={anApprovedDocument({ answering: { number: 1 } })} />)
  await screen.findByText('The channel’s 1 test question would be answered as before.')
})

it('asks nothing about documents that answer nothing, or without canManageDocuments', () => {
  renderPage(<ChangesByRemoval document={aDocument()} />)
  const overrides = { canManageDocuments: false }
  signIn(anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) }))
  renderPage(<ChangesByRemoval document={anApprovedDocument({ answering: { number: 1 } })} />)
  renderPage(<ChangesByApproval document={aDocument()} />)
  expect(screen.queryByRole('button')).toBeNull()
  expect(api.calls(testQuestionsApi.compare)).toEqual([])
})
