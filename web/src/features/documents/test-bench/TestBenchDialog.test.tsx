import { documentsApi } from '@lyceum/contract/documents'
import {
  type RetrievedPassage,
  type TestQuestion,
  type TestResult,
  type TestRun,
  type TestRunSummary,
  testQuestionsApi,
} from '@lyceum/contract/test-questions'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { type RenderedPage, renderPage } from '#testing/render-page.tsx'
import { aChannel, anApprovedDocument, aPage } from '#testing/samples.ts'
import { TestBenchDialog } from './TestBenchDialog.tsx'

const handbook = { _id: 'd1', title: 'Handbook', isDeleted: false }
const policy = { _id: 'd2', title: 'Travel policy', isDeleted: false }
const deleted = { _id: 'd3', title: '(deleted document)', isDeleted: true }

const noTexts = { mustContain: [], mustNotContain: [], isUnanswerable: false }

function aQuestion(change: Partial<TestQuestion> = {}): TestQuestion {
  return {
    _id: 'q1',
    question: 'How long is the holiday?',
    expected: [handbook],
    ...noTexts,
    updatedAt: '2026-11-20T09:00:00.000Z',
    ...change,
  }
}

function aPassage(change: Partial<RetrievedPassage> = {}): RetrievedPassage {
  return {
    documentId: 'd1',
    title: 'Handbook',
    page: 4,
    headingPath: ['Leave', 'Holidays'],
    excerpt: 'Everyone has 28 days.',
    wordsRank: 1,
    meaningRank: 3,
    score: 0.03226,
    ...change,
  }
}

function aResult(change: Partial<TestResult> = {}): TestResult {
  return {
    questionId: 'q1',
    question: 'How long is the holiday?',
    expected: [handbook],
    ...noTexts,
    isPassed: true,
    rank: 2,
    answer: null,
    missing: [],
    unwanted: [],
    change: 'gained',
    passages: [
      { ...aPassage({ documentId: 'd9', title: 'Menu', page: null, meaningRank: null }), isExpected: false },
      { ...aPassage(), isExpected: true },
    ],
    ...change,
  }
}

const missed = aResult({
  questionId: 'q2',
  question: 'Who leads purchasing?',
  expected: [deleted],
  isPassed: false,
  rank: null,
  change: 'lost',
  passages: [],
})

function aRun(change: Partial<TestRun> = {}): TestRun {
  return {
    _id: 'r2',
    ranAt: '2026-11-21T10:00:00.000Z',
    note: 'With the handbook',
    total: 2,
    passed: 1,
    meanRank: 2,
    results: [aResult(), missed],
    ...change,
  }
}

const earlier = aRun({
  _id: 'r1',
  note: 'Empty channel',
  passed: 0,
  meanRank: null,
  results: [
    aResult({ isPassed: false, rank: null, change: 'new', passages: [] }),
    { ...missed, change: 'new' },
  ],
})

function toSummary({ results: _, ...summary }: TestRun): TestRunSummary {
  return summary
}

let api: FakeApi
const onClose = vi.fn()

function serveTestBench(questions: TestQuestion[], ...runs: TestRun[]): void {
  api.on(testQuestionsApi.list, () => ({ questions, runs: runs.map(toSummary), minMatch: null }))
  api.on(
    testQuestionsApi.getRun,
    ({ params }) => runs.find(({ _id }) => _id === params.runId) ?? refuse('not_found'),
  )
}

function open(): RenderedPage {
  return renderPage(<TestBenchDialog channel={aChannel({ name: 'Physics' })} onClose={onClose} />)
}

function findTab(name: string | RegExp) {
  return screen.findByRole('tab', { name })
}
function getButton(name: string) {
  return screen.getByRole('button', { name })
}

beforeEach(() => {
  onClose.mockClear()
  api = fakeApi().on(documentsApi.list, ({ query }) => {
    const all = [
      anApprovedDocument({ _id: 'd1', title: 'Handbook' }),
      anApprovedDocument({ _id: 'd2', title: 'Travel policy' }),
    ]
    const search = query.search?.toLowerCase() ?? ''
    return aPage(all.filter(({ title }) => title.toLowerCase().includes(search)))
  })
})

describe('the test bench', () => {
  it('shows why it could not be loaded and offers a retry', async () => {
    api.on(testQuestionsApi.list, () => refuse('channel.no_documents'))
    const { user } = open()
    await screen.findByText('The test questions could not be loaded.')
    screen.getByText('Ready-made assistant channels do not use documents')
    serveTestBench([])
    await user.click(getButton('Try again'))
    await screen.findByText('There are no test questions yet.')
  })

  it('starts empty, with nothing to run or compare', async () => {
    serveTestBench([])
    const { user } = open()
    await screen.findByText('There are no test questions yet.')
    screen.getByText('Not run yet')
    expect(getButton('Run All').hasAttribute('disabled')).toBe(true)
    await user.click(await findTab('Results'))
    await screen.findByText('There are no runs yet.')
  })
})

describe('the list of questions', () => {
  it('shows the expected documents and marks deleted ones', async () => {
    serveTestBench([aQuestion({ expected: [handbook, deleted] })])
    open()
    const list = await screen.findByRole('list', { name: 'Questions' })
    within(list).getByText('How long is the holiday?')
    within(list).getByText('Handbook')
    expect(within(list).getByText('(deleted document)').closest('li')?.querySelector('svg')).not.toBeNull()
  })

  it('validates each field before it saves a question', async () => {
    serveTestBench([])
    api.on(testQuestionsApi.add, () => refuse('test.full'))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Add Question' }))
    await screen.findByRole('checkbox', { name: 'Handbook' })
    await user.click(getButton('Save Question'))
    await screen.findByText('At least 3 characters')
    screen.getByText('Choose at least one document')
    expect(api.calls(testQuestionsApi.add)).toEqual([])
    await user.type(screen.getByRole('textbox', { name: 'Question' }), 'When?')
    await user.click(screen.getByRole('checkbox', { name: 'Handbook' }))
    await user.click(getButton('Save Question'))
    await screen.findByText('A channel can have at most 200 test questions')
  })

  it('keeps the selected documents while the user searches for more', async () => {
    serveTestBench([])
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Add Question' }))
    await user.type(screen.getByRole('textbox', { name: 'Question' }), 'What may I spend?')
    await user.click(await screen.findByRole('checkbox', { name: 'Handbook' }))
    await user.type(screen.getByRole('searchbox', { name: 'Search documents' }), 'travel')
    await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Handbook' })).toBeNull())
    await user.click(screen.getByRole('checkbox', { name: 'Travel policy' }))
    screen.getByText('2 selected')
    api.on(testQuestionsApi.add, ({ body }) =>
      aQuestion({ question: body.question, expected: [handbook, policy] }),
    )
    serveTestBench([aQuestion({ question: 'What may I spend?' })])
    await user.click(getButton('Save Question'))
    await screen.findByText('Question saved')
    const [sent] = api.calls(testQuestionsApi.add)
    expect(sent?.params).toEqual({ id: 'channel-1' })
    expect(sent?.body).toEqual({
      ...noTexts,
      question: 'What may I spend?',
      expectedDocumentIds: ['d1', 'd2'],
    })
    within(await screen.findByRole('list', { name: 'Questions' })).getByText('What may I spend?')
    for (const { query } of api.calls(documentsApi.list))
      expect(query).toMatchObject({ channelId: 'channel-1', status: 'approved' })
  })

  it('drops deleted documents on edit and discards changes only after confirmation', async () => {
    serveTestBench([aQuestion({ expected: [handbook, deleted] })])
    api.on(testQuestionsApi.update, ({ body }) => aQuestion({ question: body.question }))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    await screen.findByText('An expected document has been deleted.')
    await user.type(screen.getByRole('textbox', { name: 'Question' }), ' Exactly?')
    await user.click(getButton('Cancel'))
    await screen.findByText('Discard your changes?')
    await user.click(screen.getByRole('button', { name: 'Keep editing' }))
    await user.click(await screen.findByRole('button', { name: 'Save Question' }))
    await screen.findByText('Question saved')
    const [sent] = api.calls(testQuestionsApi.update)
    expect(sent?.params).toEqual({ id: 'channel-1', questionId: 'q1' })
    expect(sent?.body).toEqual({
      ...noTexts,
      question: 'How long is the holiday? Exactly?',
      expectedDocumentIds: ['d1'],
    })
  })

  it('keeps a question that no document answers, without documents and texts', async () => {
    serveTestBench([aQuestion({ mustContain: ['28 days'] })])
    api.on(testQuestionsApi.update, ({ body }) => aQuestion({ question: body.question }))
    const { user } = open()
    screen.queryByText('Must contain: “28 days”')
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    const box = await screen.findByRole('checkbox', { name: /^No document answers it/ })
    await user.click(box)
    expect(screen.queryByRole('textbox', { name: /must contain/ })).toBeNull()
    await user.click(box)
    expect(screen.getByRole('textbox', { name: /must contain/ })).toHaveProperty('value', '28 days')
    await user.click(box)
    await user.click(getButton('Save Question'))
    await screen.findByText('Question saved')
    expect(api.calls(testQuestionsApi.update)[0]?.body).toEqual({
      question: 'How long is the holiday?',
      expectedDocumentIds: [],
      isUnanswerable: true,
    })
  })

  it('sends the texts that an answer must and must not contain, without empty lines', async () => {
    serveTestBench([aQuestion()])
    api.on(testQuestionsApi.update, ({ body }) => aQuestion({ question: body.question }))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    await user.type(screen.getByRole('textbox', { name: /must contain/ }), '28 days{Enter}{Enter}paid')
    await user.type(screen.getByRole('textbox', { name: /must not contain/ }), '30 days')
    await user.click(getButton('Save Question'))
    await screen.findByText('Question saved')
    expect(api.calls(testQuestionsApi.update)[0]?.body).toMatchObject({
      mustContain: ['28 days', 'paid'],
      mustNotContain: ['30 days'],
    })
  })

  it('asks before it deletes a question, and reports that the question no longer exists', async () => {
    serveTestBench([aQuestion()])
    api.on(testQuestionsApi.remove, () => refuse('not_found'))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const confirm = await screen.findByRole('alertdialog')
    expect(api.calls(testQuestionsApi.remove)).toEqual([])
    serveTestBench([])
    await user.click(within(confirm).getByRole('button', { name: 'Delete' }))
    await screen.findByText('Not found. It may have been deleted, or you do not have access.')
    await screen.findByText('There are no test questions yet.')
  })
})

describe('a run', () => {
  it('shows why it was refused', async () => {
    serveTestBench([aQuestion()])
    api.on(testQuestionsApi.run, () => refuse('test.running'))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Run All' }))
    await screen.findByText(/already in progress/)
  })

  it('shows its progress, is sent once with its note and then shows the results', async () => {
    serveTestBench([aQuestion(), aQuestion({ _id: 'q2', question: 'Who leads purchasing?' })], earlier)
    const { promise, resolve } = Promise.withResolvers<TestRun>()
    api.on(testQuestionsApi.run, () => promise)
    const { user } = open()
    await screen.findByText('0 of 2 passed')
    await user.type(screen.getByRole('textbox', { name: /What has changed/ }), 'With the handbook')
    await user.click(getButton('Run All'))
    await screen.findByRole('progressbar', { name: 'Running 2 questions…' })
    await user.click(screen.getByRole('button', { name: /Run All/ }))
    serveTestBench([aQuestion()], aRun(), earlier)
    resolve(aRun())
    await screen.findByText('1 of 2 passed')
    screen.getByText(/1 more than in the previous run · average rank 2.0/)
    expect(api.calls(testQuestionsApi.run).map(({ body }) => body)).toEqual([{ note: 'With the handbook' }])
    const results = await screen.findByRole('list', { name: 'Results' })
    within(results).getByText('Found at rank 2')
    within(results).getByText('Gained')
    within(results).getByText('Not found')
    within(results).getByText('Lost')
    within(results).getByText('Expected: (deleted document)')
  })

  it('shows the passages of a question and their ranks when expanded with the keyboard', async () => {
    serveTestBench([aQuestion()], aRun())
    const { user } = open()
    const row = await screen.findByRole('button', { name: 'How long is the holiday?' })
    row.focus()
    await user.keyboard('{Enter}')
    const passages = screen.getByRole('list', { name: 'Found for How long is the holiday?' })
    const [menu, leave] = within(passages).getAllByRole('listitem')
    expect(menu?.textContent).toContain('Keywords: rank 1 · Meaning: not found · Score 0.0323')
    expect(menu?.textContent).not.toMatch(/Expected|Page/)
    for (const text of ['Handbook', 'Page 4', 'Expected', 'Leave › Holidays', 'Everyone has 28 days.'])
      within(leave as HTMLElement).getByText(text)
    expect(leave?.textContent).toContain('Meaning: rank 3')
    expect(screen.queryByText(/Keyword search only/)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Who leads purchasing?' }))
    screen.getByText('No passage was found.')
  })

  it('says why a question failed, and what would be quoted', async () => {
    const quotes = [{ documentId: 'd1', title: 'Handbook', text: 'Everyone has 30 days.' }]
    const wrong = aResult({
      ...{ isPassed: false, missing: ['28 days'], unwanted: ['30 days'] },
      answer: { isRefused: false, quotes },
    })
    const answered = aResult({
      ...{ questionId: 'q2', question: 'Who leads purchasing?', expected: [], isUnanswerable: true },
      ...{ isPassed: false, rank: null, answer: { isRefused: false, quotes: [] }, passages: [] },
    })
    const refused = { ...answered, questionId: 'q3', question: 'Who won?', isPassed: true }
    serveTestBench([aQuestion()], aRun({ results: [wrong, answered, refused] }))
    const { user } = open()
    await screen.findByText('Does not contain “28 days”')
    screen.getByText('Contains “30 days”')
    screen.getByText('Answered')
    screen.getByText('Refused')
    await user.click(getButton('How long is the holiday?'))
    within(screen.getByRole('list', { name: 'Quoted without a model' })).getByText('Everyone has 30 days.')
  })

  it('tells the limit that the channel has learned', async () => {
    serveTestBench([aQuestion()], aRun())
    api.on(testQuestionsApi.list, () => ({ questions: [], runs: [], minMatch: 0.314 }))
    open()
    await screen.findByText(/refuses questions that its documents match less than 31 %/)
  })

  it('can be filtered to questions that were not found or have changed', async () => {
    serveTestBench([aQuestion()], aRun({ results: [aResult({ change: 'same' }), missed] }))
    const { user } = open()
    await screen.findByText('How long is the holiday?')
    for (const filter of ['Failed', 'Changed']) {
      await user.selectOptions(screen.getByRole('combobox', { name: 'Show' }), filter)
      expect(screen.queryByText('How long is the holiday?')).toBeNull()
      screen.getByText('Who leads purchasing?')
      await user.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'All questions')
    }
  })

  it('shows changes and other runs only from the second run on', async () => {
    serveTestBench([aQuestion()], aRun({ results: [aResult({ change: 'new' })] }))
    open()
    await screen.findByText('How long is the holiday?')
    expect(screen.queryByText('New question')).toBeNull()
    expect(screen.getAllByRole('combobox')).toEqual([screen.getByRole('combobox', { name: 'Show' })])
  })

  it('names a question that the previous run did not have', async () => {
    const results = [aResult({ change: 'same' }), { ...missed, change: 'new' as const }]
    serveTestBench([aQuestion()], aRun({ results }), earlier)
    open()
    await screen.findByText('New question')
  })

  it('can be selected and compared with any other run', async () => {
    const oldest = aRun({ _id: 'r0', note: 'Oldest', results: [aResult({ change: 'new' })] })
    serveTestBench([aQuestion()], aRun({ results: [aResult({ change: 'same' })] }), earlier, oldest)
    const { user } = open()
    await screen.findByText('Found at rank 2')
    expect(screen.queryByText('Gained')).toBeNull()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Compared with' }), 'r1')
    await screen.findByText('Gained')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Compared with' }), 'r0')
    await waitFor(() => expect(screen.queryByText('Gained')).toBeNull())
    await user.selectOptions(screen.getByRole('combobox', { name: 'Run' }), 'r1')
    await screen.findByText('Lost')
  })

  it('reports that it no longer exists and offers a retry', async () => {
    serveTestBench([aQuestion()], aRun())
    api.on(testQuestionsApi.getRun, () => refuse('not_found'))
    const { user } = open()
    await screen.findByText('Not found. It may have been deleted, or you do not have access.')
    serveTestBench([aQuestion()], aRun())
    await user.click(getButton('Try again'))
    await screen.findByText('Found at rank 2')
  })
})

describe('trying a question', () => {
  it('reports a failure, shows the passages and saves the question on request', async () => {
    serveTestBench([])
    api.on(testQuestionsApi.try, () => refuse('rate.limited'))
    const { user } = open()
    await user.click(await findTab('Try a question'))
    await user.type(screen.getByRole('textbox', { name: 'Try a question' }), 'Holidays?{Enter}')
    await screen.findByText(/Too many requests/)
    api.on(testQuestionsApi.try, () => ({ passages: [aPassage({ meaningRank: null })] }))
    await user.click(getButton('Try it'))
    await screen.findByText('1 passage found for “Holidays?”')
    screen.getByText('Everyone has 28 days.')
    screen.getByText('Keywords: rank 1 · Score 0.0323')
    screen.getByText(/Keyword search only/)
    expect(screen.queryByText('Expected')).toBeNull()
    api.on(testQuestionsApi.try, () => ({ passages: [] }))
    await user.click(getButton('Try it'))
    await screen.findByText('No passage was found.')
    await user.click(getButton('Save as test question'))
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Question' })
    expect(field.value).toBe('Holidays?')
  })
})
