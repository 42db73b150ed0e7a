import {
  type Analytics,
  addDays,
  analyticsApi,
  formatDay,
  type UnansweredQuestion,
  type UsageDay,
} from '@lyceum/contract/analytics'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { getPermissions } from '@lyceum/contract/permissions'
import { testQuestionsApi } from '@lyceum/contract/test-questions'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { AnalyticsPage } from './analytics.tsx'

const emptyFigures = {
  messages: 0,
  replies: 0,
  refusals: 0,
  failures: 0,
  quoted: 0,
  inputTokens: 0,
  outputTokens: 0,
  good: 0,
  bad: 0,
  firstWordP50: null,
  firstWordP95: null,
}
const noon = Date.UTC(2026, 10, 18, 12)
const today = formatDay(noon)

function createAnalytics(days: UsageDay[]): Analytics {
  const messages = days.reduce((sum, day) => sum + day.messages, 0)
  return {
    from: days[0]?.day ?? today,
    to: days.at(-1)?.day ?? today,
    totals: {
      ...emptyFigures,
      messages,
      replies: messages,
      people: 4,
      good: 3,
      bad: 1,
      firstWordP50: 800,
      firstWordP95: 2400,
    },
    before: { ...emptyFigures, messages: 20, replies: 20, people: 4 },
    days,
    models: [{ ...emptyFigures, model: 'gpt-4o', replies: 30 }],
  }
}

function aDay(daysAgo: number, messages: number): UsageDay {
  return {
    ...emptyFigures,
    day: addDays(today, -daysAgo),
    messages,
    people: messages === 0 ? 0 : 2,
  }
}

function aQuestion(change: Partial<UnansweredQuestion> = {}): UnansweredQuestion {
  return {
    _id: 'question-1',
    text: 'How high is the bonus?',
    channelId: 'channel-1',
    channelName: 'Physics',
    askedAt: '2026-11-20T09:00:00.000Z',
    reason: 'nothing-found',
    resolved: null,
    ...change,
  }
}

let api: FakeApi

beforeEach(() => {
  vi.setSystemTime(noon)
  api = fakeApi()
    .on(authApi.me, () => anAdmin())
    .on(channelsApi.list, () => [aChannel()])
    .on(analyticsApi.get, () => createAnalytics([aDay(2, 10), aDay(1, 0), aDay(0, 20)]))
  signIn(anAdmin())
})

function visit(query = '') {
  return renderPage(<AnalyticsPage />, { at: `/admin/analytics${query}` })
}

describe('/admin/analytics', () => {
  it('reports a failed load and offers a retry', async () => {
    api.on(analyticsApi.get, () => refuse('server.busy'))
    const { user } = visit()
    await screen.findByText('The figures could not be loaded.')
    api.on(analyticsApi.get, () => createAnalytics([aDay(0, 5)]))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('heading', { name: 'Day by day' })
  })

  it('shows an empty state for a period without questions', async () => {
    api.on(analyticsApi.get, () => {
      const { totals, ...rest } = createAnalytics([aDay(0, 0)])
      return { ...rest, totals: { ...totals, messages: 0, replies: 0 } }
    })
    visit()
    await screen.findByText('No questions in this period.')
  })

  it('shows totals and their change from the previous period', async () => {
    visit()
    const figure = (await screen.findAllByText('Messages', { selector: 'dt' }))[0]?.parentElement
    if (!figure) throw new Error('The figure is missing')
    within(figure).getByText('30')
    within(figure).getByText(/50% more than in the previous period/)
    screen.getByText('95% within 2.4 s')
  })

  it('names the period of the earlier median', async () => {
    api.on(analyticsApi.get, () => {
      const { before, ...rest } = createAnalytics([aDay(2, 10), aDay(1, 0), aDay(0, 20)])
      return { ...rest, before: { ...before, firstWordP50: 600 } }
    })
    visit()
    await screen.findByText('95% within 2.4 s; median 0.6 s in the 3 days before')
  })

  it('describes each chart in a sentence and as a table', async () => {
    const { user } = visit()
    const chart = await screen.findByRole('img', { name: /^Messages from/ })
    expect(chart.getAttribute('aria-label')).toContain('30 in total, highest 20')
    await user.click(screen.getByRole('button', { name: 'Show as table', description: 'Messages' }))
    const rows = within(screen.getByRole('table', { name: 'Messages' })).getAllByRole('row')
    expect(rows).toHaveLength(4)
    expect(rows[1]?.textContent).toContain('10')
    await user.click(screen.getByRole('button', { name: 'Hide the table' }))
    expect(screen.queryByRole('table', { name: 'Messages' })).toBeNull()
  })

  it('keeps the period and the channel in the URL and requests them', async () => {
    const { user, address } = visit('?days=7')
    await screen.findByRole('heading', { name: 'Day by day' })
    expect(api.calls(analyticsApi.get)[0]?.query).toEqual({ from: addDays(today, -6), to: today })
    await user.selectOptions(screen.getByLabelText('Channel'), 'Physics')
    expect(address()).toBe('/admin/analytics?days=7&channelId=channel-1')
    await waitFor(() => expect(api.calls(analyticsApi.get).at(-1)?.query.channelId).toBe('channel-1'))
    await user.selectOptions(screen.getByLabelText('Period'), 'Last 90 days')
    expect(address()).toBe('/admin/analytics?days=90&channelId=channel-1')
  })

  it.each(['?from=2026-02-30&to=2026-03-01', '?from=2026-03-02&to=2026-03-01', '?days=8&page=-1'])(
    'uses the default period for the invalid query %s',
    async (query) => {
      visit(query)
      await screen.findByRole('heading', { name: 'Day by day' })
      expect(api.calls(analyticsApi.get)[0]?.query).toEqual({ from: addDays(today, -29), to: today })
    },
  )

  it('says that it shows the last 400 days of a longer range in the URL', async () => {
    const { user } = visit('?from=2024-01-01&to=2026-03-01')
    const text = 'A period has at most 400 days. Showing the last 400 days of the range.'
    await screen.findByText(text)
    expect(api.calls(analyticsApi.get)[0]?.query).toEqual({ from: '2025-01-26', to: '2026-03-01' })
    expect(screen.getByLabelText('From')).toHaveProperty('value', '2025-01-26')
    await user.selectOptions(screen.getByLabelText('Period'), 'Last 90 days')
    expect(screen.queryByText(text)).toBeNull()
  })

  it.each([
    ['From', '2024-01-01', 'From', 'A period has at most 400 days.', 'To', '2024-02-01'],
    ['To', '2026-04-01', 'To', 'A period has at most 400 days.', 'From', '2026-02-01'],
    ['From', '2026-03-02', 'To', 'The end is before the start.', 'To', '2026-03-05'],
    ['To', '2025-01-31', 'To', 'The end is before the start.', 'From', '2025-01-01'],
    ['To', '2026-11-19', 'To', 'This day is in the future.', 'To', '2026-03-02'],
  ])(
    'says why it does not show the range when %s becomes %s, and keeps both ends',
    async (label, day, explained, text, mended, mendingDay) => {
      const query = '?from=2025-02-01&to=2026-03-01'
      const { address } = visit(query)
      function change(name: string, value: string): void {
        void fireEvent.change(screen.getByLabelText(name), { target: { value } })
      }
      await screen.findByRole('heading', { name: 'Day by day' })
      change(label, day)
      screen.getByText(text)
      const field = screen.getByLabelText(explained)
      expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(text)
      expect(screen.getByLabelText(label)).toHaveProperty('value', day)
      expect(address()).toBe(`/admin/analytics${query}`)
      change(mended, mendingDay)
      const range = { From: '2025-02-01', To: '2026-03-01', [label]: day, [mended]: mendingDay }
      await waitFor(() => expect(address()).toBe(`/admin/analytics?from=${range.From}&to=${range.To}`))
      expect(screen.queryByText(text)).toBeNull()
      const shown = { from: range.From, to: range.To }
      await waitFor(() => expect(api.calls(analyticsApi.get).map(({ query }) => query)).toContainEqual(shown))
      expect(api.calls(analyticsApi.get)).toHaveLength(2)
    },
  )

  it('drops a range that cannot be shown when another period is selected', async () => {
    const { user } = visit('?from=2026-02-01&to=2026-03-01')
    fireEvent.change(await screen.findByLabelText('To'), { target: { value: '2026-01-01' } })
    screen.getByText('The end is before the start.')
    await user.selectOptions(screen.getByLabelText('Period'), 'Last 7 days')
    await user.selectOptions(screen.getByLabelText('Period'), 'Custom range')
    expect(screen.getByLabelText('To')).toHaveProperty('value', today)
    expect(screen.queryByText('The end is before the start.')).toBeNull()
  })

  it('links cited documents to the document list only with canManageDocuments', async () => {
    const cited = {
      documentId: 'd',
      title: 'Bonus & pay',
      channelId: 'channel-1',
      channelName: 'Physics',
      citations: 4,
    }
    api.on(analyticsApi.documents, () => aPage([cited]))
    const admin = anAdmin({ permissions: { ...anAdmin().permissions, canManageDocuments: false } })
    api.on(authApi.me, () => admin)
    signIn(admin)
    const { unmount } = visit('?tab=documents')
    await screen.findByText('Bonus & pay')
    expect(screen.queryByRole('link', { name: 'Bonus & pay' })).toBeNull()
    unmount()
    api.on(authApi.me, () => anAdmin())
    signIn(anAdmin())
    visit('?tab=documents')
    const link = await screen.findByRole('link', { name: 'Bonus & pay' })
    expect(link.getAttribute('href')).toBe(
      '/admin/documents?status=approved&channelId=channel-1&search=Bonus+%26+pay',
    )
  })

  it('labels deleted documents and channels', async () => {
    api.on(analyticsApi.documents, () =>
      aPage([{ documentId: 'd', title: null, channelId: 'c', channelName: null, citations: 4 }]),
    )
    visit('?tab=documents')
    await screen.findByText('Deleted document')
    screen.getByText('Deleted channel')
  })
})

describe('unanswered questions', () => {
  it('are not requested until their tab is opened, because each request is audited', async () => {
    api.on(analyticsApi.questions, () => aPage([aQuestion()]))
    const { user } = visit()
    await screen.findByRole('heading', { name: 'Day by day' })
    expect(api.calls(analyticsApi.questions)).toHaveLength(0)
    await user.click(screen.getByRole('tab', { name: 'Unanswered questions' }))
    await screen.findByText('How high is the bonus?')
    expect(api.calls(analyticsApi.questions)).toHaveLength(1)
  })

  it('are not shown if the audit log cannot be written', async () => {
    api.on(analyticsApi.questions, () => refuse('audit.unavailable'))
    visit('?tab=questions')
    await screen.findByText('The questions could not be loaded.')
    screen.getByText(/audit log could not be written/)
  })

  it('link to the channel’s documents and can be marked as resolved', async () => {
    let questions = [aQuestion()]
    api.on(analyticsApi.questions, () => aPage(questions))
    api.on(analyticsApi.resolve, ({ body }) => {
      questions = []
      return { resolved: body.isResolved ? { at: '2026-11-21T10:00:00.000Z', by: 'Grace Example' } : null }
    })
    const { user } = visit('?tab=questions')
    const documents = await screen.findByRole('link', { name: 'Documents' })
    expect(documents.getAttribute('href')).toBe('/admin/documents?status=approved&channelId=channel-1')
    await user.click(screen.getByRole('button', { name: 'Mark as resolved' }))
    await screen.findByText('No unanswered questions.')
    expect(api.calls(analyticsApi.resolve).map(({ params, body }) => [params.id, body.isResolved])).toEqual([
      ['question-1', true],
    ])
  })

  it('stay in the list if marking one fails', async () => {
    api.on(analyticsApi.questions, () => aPage([aQuestion()]))
    api.on(analyticsApi.resolve, () => refuse('internal'))
    const { user } = visit('?tab=questions')
    await user.click(await screen.findByRole('button', { name: 'Mark as resolved' }))
    await waitFor(() => expect(api.calls(analyticsApi.resolve)).toHaveLength(1))
    await screen.findByText('How high is the bonus?')
  })

  it('become test questions, which should be refused until a document answers them', async () => {
    api.on(analyticsApi.questions, () => aPage([aQuestion({ channelName: 'Physics' })]))
    api.on(testQuestionsApi.add, () => refuse('test.full'))
    const { user } = visit('?tab=questions')
    await user.click(await screen.findByRole('button', { name: 'Add to the tests' }))
    await screen.findByText('A channel can have at most 200 test questions')
    api.on(testQuestionsApi.add, ({ body }) => ({
      ...{ _id: 'q', question: body.question, expected: [], mustContain: [], mustNotContain: [] },
      ...{ isUnanswerable: true, updatedAt: '2026-11-21T10:00:00.000Z' },
    }))
    await user.click(screen.getByRole('button', { name: 'Add to the tests' }))
    await screen.findByText(/^Added to the test questions of Physics/)
    const added = screen.getByRole<HTMLButtonElement>('button', { name: 'Added to the tests' })
    // Browsers move the focus from a disabled button to the page.
    expect(added.disabled).toBe(false)
    expect(added.getAttribute('aria-disabled')).toBe('true')
    await user.click(added)
    expect(api.calls(testQuestionsApi.add)).toHaveLength(1)
    expect(api.calls(testQuestionsApi.add).at(-1)).toMatchObject({
      params: { id: 'channel-1' },
      body: { question: 'How high is the bonus?', expectedDocumentIds: [], isUnanswerable: true },
    })
  })

  it('have no link to documents without canManageDocuments', async () => {
    const permissions = getPermissions({
      role: 'admin',
      isSystemAdmin: false,
      overrides: { canManageDocuments: false },
    })
    api.on(authApi.me, () => anAdmin({ permissions }))
    signIn(anAdmin({ permissions }))
    api.on(analyticsApi.questions, () => aPage([aQuestion()]))
    visit('?tab=questions')
    await screen.findByText('How high is the bonus?')
    expect(screen.queryByRole('link', { name: 'Documents' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Add to the tests' })).toBeNull()
  })
})
