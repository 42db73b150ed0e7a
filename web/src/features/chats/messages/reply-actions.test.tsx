import { chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import { errors } from '@lyceum/contract/errors'
import { quotasApi } from '@lyceum/contract/quotas'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { acceptedEvent, aQuestion, aReply, openEventStream } from '#testing/chat-samples.ts'
import { NoNetwork, refuse, streamOf } from '#testing/fake-api.ts'
import { renderChat } from '#testing/render-chat.tsx'
import * as tick from './DeliveryTick.tsx'

vi.mock('./DeliveryTick.tsx', async (original) => {
  const actual = await original<typeof import('./DeliveryTick.tsx')>()
  return { ...actual, DeliveryTick: vi.fn(actual.DeliveryTick) }
})

function log() {
  return within(screen.getByRole('log'))
}
function button(name: string) {
  return screen.findByRole('button', { name })
}
function readAnnouncements() {
  return screen.getAllByRole('status').map(({ textContent }) => textContent)
}

afterEach(() => void vi.unstubAllGlobals())

describe('a used-up limit', () => {
  it('offers nothing that would be refused', async () => {
    const chat = renderChat(aQuestion('q1'), aReply('r1'))
    await button('Regenerate')
    const resetsAt = new Date().toISOString()
    const left = { kind: 'messages', whose: 'own', left: 0, limit: 2, resetsAt } as const
    chat.api.on(quotasApi.getRemaining, () => ({ left }))
    await chat.user.type(screen.getByLabelText('Message'), 'Once more{Enter}')
    await screen.findByText('You have used all your messages')
    expect(screen.queryByLabelText('Message')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Regenerate' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Edit message' })).toBeNull()
  })

  it.each([
    ['only by the note, which replaces the field', 0],
    ['by a toast if there is no such note', 1],
  ])('is reported %s when it refuses a message', async (_name, left) => {
    const chat = renderChat(aQuestion('q1'), aReply('r1'))
    await button('Regenerate')
    const refreshed = Promise.withResolvers<void>()
    const resetsAt = new Date().toISOString()
    chat.api
      .on(chatsApi.send, () => refuse('quota.messages'))
      .on(quotasApi.getRemaining, async () => {
        await refreshed.promise
        return { left: { kind: 'messages', whose: 'own', left, limit: 2, resetsAt } as const }
      })
    await chat.user.type(screen.getByLabelText('Message'), 'Once more{Enter}')
    await screen.findByRole('button', { name: 'Copy message' })
    expect(screen.queryByText(errors['quota.messages'].message)).toBeNull()
    refreshed.resolve()
    await screen.findByText(left > 0 ? /^1 of 2 messages left/ : 'You have used all your messages')
    await waitFor(() => expect(chat.queryClient.isFetching()).toBe(0))
    await waitFor(() =>
      expect(screen.queryAllByText(errors['quota.messages'].message)).toHaveLength(left > 0 ? 1 : 0),
    )
  })

  it('counts the message that is being answered', async () => {
    const chat = renderChat()
    const stream = openEventStream()
    const resetsAt = new Date().toISOString()
    let left = 1
    chat.api
      .on(quotasApi.getRemaining, () => ({
        left: { kind: 'messages', whose: 'own', left, limit: 1, resetsAt } as const,
      }))
      .on(chatsApi.starters, () => ({ questions: [] }))
      .on(chatsApi.send, () => streamOf(chatsApi.send, stream.events))
    await screen.findByText(/^1 of 1 message left/)
    await chat.user.type(screen.getByLabelText('Message'), 'Only one{Enter}')
    left = 0
    stream.send(acceptedEvent('r1'), { seq: 2, type: 'delta', text: 'The first words' })
    await screen.findByText('You have used all your messages')
    await button('Stop the reply')
    expect(screen.queryByText(/^1 of 1 message left/)).toBeNull()
  })
})

describe('regenerating a reply', () => {
  it('works for an earlier reply and hides the messages after it at once', async () => {
    const chat = renderChat(aQuestion('q1'), aReply('r1'), aQuestion('q2'), aReply('r2'))
    const stream = openEventStream()
    chat.api.on(chatsApi.regenerate, () => streamOf(chatsApi.regenerate, stream.events))
    await screen.findByText('Reply r2')
    await chat.user.click(screen.getAllByRole('button', { name: 'Regenerate' })[0] as HTMLElement)
    expect(log().getByText('Question q1')).toBeDefined()
    expect(log().queryByText('Reply r1')).toBeNull()
    expect(log().queryByText('Question q2')).toBeNull()
    const finishedReply = aReply('r3', { versions: { ids: ['r1', 'r3'], current: 1 } })
    chat.state.messages = [aQuestion('q1'), finishedReply]
    stream.send(
      acceptedEvent('r3'),
      { seq: 2, type: 'delta', text: 'Reply r3' },
      { seq: 3, type: 'done', reply: finishedReply },
    )
    expect(await log().findByText('Version 2 of 2')).toBeDefined()
    expect(log().getAllByText('Reply r3')).toHaveLength(1)
    expect(chat.api.calls(chatsApi.regenerate).map(({ params }) => params.messageId)).toEqual(['r1'])
  })

  it('restores the reply after a failure and retries with the same key', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const chat = renderChat(aQuestion('q1'), aReply('r1'))
    chat.api.on(chatsApi.regenerate, () => {
      throw new NoNetwork()
    })
    await chat.user.click(await button('Regenerate'))
    expect(await screen.findByText('Failed to regenerate the reply')).toBeDefined()
    expect(log().getByText('Reply r1')).toBeDefined()
    // The earlier text is not announced again.
    expect(readAnnouncements()).not.toContain('Reply r1')
    await chat.user.click(await button('Regenerate'))
    await waitFor(() => expect(chat.api.calls(chatsApi.regenerate)).toHaveLength(2))
    const keys = chat.api.calls(chatsApi.regenerate).map(({ headers }) => headers.get('Idempotency-Key'))
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(keys).size).toBe(1)
  })

  it('is offered below the note of a failed reply, and the message is not marked as failed', async () => {
    const chat = renderChat(
      aQuestion('q1'),
      aReply('r1', { content: '', state: 'failed', error: 'Out of order' }),
    )
    const stream = openEventStream()
    chat.api.on(chatsApi.regenerate, () => streamOf(chatsApi.regenerate, stream.events))
    expect(await screen.findByText('Out of order')).toBeDefined()
    expect(screen.queryByText('(Failed to send)', { exact: false })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Regenerate' })).toBeNull()
    await chat.user.click(await button('Try again'))
    stream.send(acceptedEvent('r2'), { seq: 2, type: 'delta', text: 'Back' })
    expect(await log().findByText('Back')).toBeDefined()
    expect(screen.queryByText('Out of order')).toBeNull()
  })

  it('leaves the focus in the message field', async () => {
    vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
    const failed = aReply('r1', { content: '', state: 'failed', error: 'Out of order' })
    const chat = renderChat(aQuestion('q1'), failed)
    const stream = openEventStream()
    chat.api.on(chatsApi.regenerate, () => streamOf(chatsApi.regenerate, stream.events))
    await chat.user.click(await button('Try again'))
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' }))
  })

  it('has no toast that repeats the reply, which a screen reader reads once', async () => {
    const error = errors['assistant.unavailable'].message
    const failed = aReply('r2', { content: '', state: 'failed', error })
    const chat = renderChat(
      aQuestion('q1'),
      aReply('r1', { content: '', state: 'failed', error: 'Out of order' }),
    )
    const stream = openEventStream()
    chat.api.on(chatsApi.regenerate, () => streamOf(chatsApi.regenerate, stream.events))
    await chat.user.click(await button('Try again'))
    chat.state.messages = [aQuestion('q1'), failed]
    stream.send(acceptedEvent('r2'), {
      seq: 2,
      type: 'error',
      code: 'assistant.unavailable',
      message: error,
      reply: failed,
    })
    expect(await log().findByText(error)).toBeDefined()
    await waitFor(() => expect(readAnnouncements()).toContain(error))
    // The reply and its announcement.
    expect(screen.getAllByText(error)).toHaveLength(2)
  })

  it('is offered below a reply that was stopped before its first word', async () => {
    renderChat(aQuestion('q1'), aReply('r1', { content: '', state: 'stopped' }))
    expect(await screen.findByText('You stopped this reply.')).toBeDefined()
    expect(await button('Try again')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Regenerate' })).toBeNull()
  })

  it('is disabled while another reply is running', async () => {
    const running = aReply('r2', { content: 'So', state: 'streaming', lastEvent: 2 })
    const chat = renderChat(aQuestion('q1'), aReply('r1'), aQuestion('q2'), running)
    const stream = openEventStream()
    chat.api
      .on(chatsApi.events, () => streamOf(chatsApi.events, stream.events))
      .on(chatsApi.regenerate, () => refuse('internal'))
    await waitFor(async () => expect((await button('Regenerate')).getAttribute('aria-disabled')).toBe('true'))
    await chat.user.click(await button('Regenerate'))
    expect(chat.api.calls(chatsApi.regenerate)).toEqual([])
  })
})

describe('an interrupted reply', () => {
  function interruptedReply() {
    return aReply('r1', { content: 'The doors', state: 'stopped', canContinue: true })
  }

  it('is continued in place, and only the rest is announced', async () => {
    const chat = renderChat(aQuestion('q1'), interruptedReply())
    const stream = openEventStream()
    chat.api.on(chatsApi.continue, () => streamOf(chatsApi.continue, stream.events))
    const text = await screen.findByText('The doors')
    await chat.user.click(await button('Continue'))
    await waitFor(() => expect(screen.queryByText('You stopped this reply.')).toBeNull())
    expect(log().getByText('The doors')).toBe(text)
    stream.send(acceptedEvent('r2', 'The doors'), { seq: 2, type: 'delta', text: ' close at eight.' })
    expect(await log().findByText('The doors close at eight.')).toBe(text)
    const finishedReply = aReply('r2', {
      content: 'The doors close at eight.',
      versions: { ids: ['r1', 'r2'], current: 1 },
    })
    chat.state.messages = [aQuestion('q1'), finishedReply]
    stream.send({ seq: 3, type: 'done', reply: finishedReply })
    expect(await log().findByText('Version 2 of 2')).toBeDefined()
    await waitFor(() => expect(readAnnouncements()).toContain('close at eight.'))
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
  })

  it('stays unchanged when it cannot be continued', async () => {
    const chat = renderChat(aQuestion('q1'), interruptedReply())
    chat.api.on(chatsApi.continue, () => refuse('internal'))
    await chat.user.click(await button('Continue'))
    expect(await screen.findByText('Failed to continue the reply')).toBeDefined()
    expect(log().getByText('You stopped this reply.')).toBeDefined()
    expect(await button('Continue')).toBeDefined()
  })

  it.each([
    ['before the first event', 0],
    ['after several events', 4],
  ])('shows its text once after a reload %s', async (_, lastEvent) => {
    const chat = renderChat(
      aQuestion('q1'),
      aReply('r2', { content: 'The doors', state: 'streaming', lastEvent }),
    )
    const stream = openEventStream()
    chat.api.on(chatsApi.events, () => streamOf(chatsApi.events, stream.events))
    if (lastEvent === 0) stream.send(acceptedEvent('r2', 'The doors'))
    stream.send({ seq: lastEvent + 2, type: 'delta', text: ' close.' })
    expect(await screen.findByText('The doors close.')).toBeDefined()
  })
})

describe('feedback on a reply', () => {
  function feedbackBody(rating: 'good' | 'bad' | null, reason: 'incomplete' | null = null, comment = '') {
    return {
      rating,
      reason,
      comment,
    }
  }

  it('is shown at once, saved, and removed when the button is pressed again', async () => {
    const chat = renderChat(aQuestion('q1'), aReply('r1'))
    chat.api.on(chatsApi.rate, ({ body }) =>
      aReply('r1', body.rating === null ? {} : { feedback: { ...body, rating: body.rating } }),
    )
    const good = await button('Good reply')
    expect(good.getAttribute('aria-pressed')).toBe('false')
    await chat.user.click(good)
    await waitFor(() => expect(good.getAttribute('aria-pressed')).toBe('true'))
    expect(await screen.findByText('Thank you for your feedback')).toBeDefined()
    await chat.user.click(good)
    await waitFor(() => expect(good.getAttribute('aria-pressed')).toBe('false'))
    expect(await screen.findByText('Feedback removed')).toBeDefined()
    expect(chat.api.calls(chatsApi.rate).map(({ body }) => body)).toEqual([
      feedbackBody('good'),
      feedbackBody(null),
    ])
  })

  it('is reverted when it could not be saved', async () => {
    const chat = renderChat(
      aQuestion('q1'),
      aReply('r1', { feedback: { rating: 'good', reason: null, comment: '' } }),
    )
    chat.api.on(chatsApi.rate, () => refuse('internal'))
    await chat.user.click(await button('Good reply'))
    expect(await screen.findByText('Failed to save your feedback')).toBeDefined()
    expect((await button('Good reply')).getAttribute('aria-pressed')).toBe('true')
  })

  it('keeps the last rating, even when the one before could not be saved', async () => {
    const chat = renderChat(aQuestion('q1'), aReply('r1'))
    const first = Promise.withResolvers<Response>()
    chat.api.on(chatsApi.rate, ({ body }) =>
      body.rating === 'good' ? first.promise : aReply('r1', { feedback: { ...body, rating: 'bad' } }),
    )
    await chat.user.click(await button('Good reply'))
    await chat.user.click(await button('Bad reply'))
    first.resolve(refuse('internal'))
    await waitFor(() => expect(chat.api.calls(chatsApi.rate)).toHaveLength(2))
    await screen.findByRole('dialog', { name: 'What went wrong?' })
    // The failure of an earlier attempt no longer applies.
    expect(screen.queryByText('Failed to save your feedback')).toBeNull()
    await chat.user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect((await button('Bad reply')).getAttribute('aria-pressed')).toBe('true')
    expect((await button('Good reply')).getAttribute('aria-pressed')).toBe('false')
  })

  it('falls back to the server’s value when no rating could be saved', async () => {
    const chat = renderChat(aQuestion('q1'), aReply('r1'))
    const first = Promise.withResolvers<Response>()
    let requestCount = 0
    chat.api.on(chatsApi.rate, () => {
      requestCount += 1
      return requestCount === 1 ? first.promise : refuse('internal')
    })
    const good = await button('Good reply')
    await chat.user.click(good)
    await chat.user.click(await button('Bad reply'))
    first.resolve(refuse('internal'))
    await waitFor(() => expect(requestCount).toBe(2))
    await screen.findByText('Failed to save your feedback')
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() => expect(good.getAttribute('aria-pressed')).toBe('false'))
    expect((await button('Bad reply')).getAttribute('aria-pressed')).toBe('false')
  })

  it('sends a reason with a bad rating', async () => {
    const chat = renderChat(aQuestion('q1'), aReply('r1'))
    chat.api.on(chatsApi.rate, ({ body }) => aReply('r1', { feedback: { ...body, rating: 'bad' } }))
    const bad = await button('Bad reply')
    await chat.user.click(bad)
    const dialog = within(await screen.findByRole('dialog', { name: 'What went wrong?' }))
    const reasons = dialog.getAllByRole('radio')
    expect(reasons).toHaveLength(6)
    await waitFor(() => expect(document.activeElement).toBe(reasons[0]))
    await chat.user.click(dialog.getByRole('radio', { name: 'Incomplete' }))
    await chat.user.type(dialog.getByRole('textbox', { name: 'Comment (optional)' }), ' the page ')
    await chat.user.click(dialog.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText('Thank you for your feedback')).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(bad))
    expect(chat.api.calls(chatsApi.rate).map(({ body }) => body)).toEqual([
      feedbackBody('bad'),
      feedbackBody('bad', 'incomplete', 'the page'),
    ])
  })

  it('keeps the comment when it could not be sent', async () => {
    const chat = renderChat(aQuestion('q1'), aReply('r1'))
    chat.api.on(chatsApi.rate, ({ body }) =>
      body.comment === '' ? aReply('r1', { feedback: { ...body, rating: 'bad' } }) : refuse('internal'),
    )
    await chat.user.click(await button('Bad reply'))
    const dialog = within(await screen.findByRole('dialog', { name: 'What went wrong?' }))
    await chat.user.type(dialog.getByRole('textbox', { name: 'Comment (optional)' }), 'The page')
    await chat.user.click(dialog.getByRole('button', { name: 'Send' }))
    await dialog.findByText('Failed to save your feedback')
    expect(dialog.getByRole('textbox', { name: 'Comment (optional)' })).toHaveProperty('value', 'The page')
    expect(screen.getAllByText('Failed to save your feedback')).toHaveLength(1)
  })

  it('asks before a comment is lost', async () => {
    const chat = renderChat(aQuestion('q1'), aReply('r1'))
    chat.api.on(chatsApi.rate, ({ body }) => aReply('r1', { feedback: { ...body, rating: 'bad' } }))
    await chat.user.click(await button('Bad reply'))
    const comment = await screen.findByRole('textbox', { name: 'Comment (optional)' })
    await chat.user.type(comment, 'The page')
    await chat.user.keyboard('{Escape}')
    const question = within(await screen.findByRole('alertdialog', { name: 'Discard your changes?' }))
    question.getByText('The rating is saved. Your reason and comment have not been sent.')
    await chat.user.click(question.getByRole('button', { name: 'Keep editing' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(comment).toHaveProperty('value', 'The page')
  })

  it('keeps the bad rating without a reason when the dialog is skipped', async () => {
    const chat = renderChat(aQuestion('q1'), aReply('r1'))
    chat.api.on(chatsApi.rate, ({ body }) => aReply('r1', { feedback: { ...body, rating: 'bad' } }))
    await chat.user.click(await button('Bad reply'))
    await screen.findByRole('dialog', { name: 'What went wrong?' })
    await chat.user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect((await button('Bad reply')).getAttribute('aria-pressed')).toBe('true')
    expect(chat.api.calls(chatsApi.rate)).toHaveLength(1)
  })
})

describe('a finished reply', () => {
  it('has no menu and no model for members', async () => {
    renderChat(aQuestion('q1'), aReply('r1'))
    await button('Regenerate')
    expect(screen.queryByRole('button', { name: 'More actions for this reply' })).toBeNull()
  })

  it('has its model in its menu for those who administer the channel', async () => {
    const { user } = renderChat(
      aQuestion('q1'),
      aReply('r1', { model: { requested: 'o1', actual: 'llama3.1' } }),
    )
    const copied = vi.spyOn(navigator.clipboard, 'writeText')
    await user.click(await button('More actions for this reply'))
    expect(screen.queryByText('llama3.1', { exact: false, ignore: '[role=menu] *' })).toBeNull()
    await user.click(await screen.findByRole('menuitem', { name: 'Copy model name: o1 → llama3.1' }))
    expect(await screen.findByText('Model name copied')).toBeDefined()
    expect(copied).toHaveBeenCalledWith('llama3.1')
  })

  it('says that it is not based on the documents, and how many citations were removed', async () => {
    renderChat(
      aQuestion('q1'),
      aReply('r1', { mode: 'model' }),
      aQuestion('q2'),
      aReply('r2', { mode: 'model', isUngrounded: true }),
      aQuestion('q3'),
      aReply('r3', { mode: 'model', isUngrounded: true, removedCitations: 2, state: 'stopped' }),
      aQuestion('q4'),
      aReply('r4', { mode: 'model', removedCitations: 1 }),
      aQuestion('q5'),
      aReply('r5', { mode: 'model', removedCitations: 1, uncheckedCitations: 3 }),
    )
    await screen.findByText('Reply r1')
    const notes = screen
      .getAllByText(/Not based on this channel|removed because|You stopped/)
      .map(({ textContent }) => textContent)
    expect(notes).toEqual([
      'Not based on this channel’s documents.',
      'You stopped this reply.',
      'Not based on this channel’s documents. 2 citations were removed because their passages do not support the sentences.',
      '1 citation was removed because its passage does not support the sentence.',
      '1 citation was removed because its passage does not support the sentence. The model did not check 3 citations, so only words were compared.',
    ])
  })
})

describe('a refusal', () => {
  it('has no note that repeats it', async () => {
    renderChat(aQuestion('q1'), aReply('r1', { mode: 'refusal' }))
    await screen.findByText('Reply r1')
    expect(log().queryByText(/Not found in/)).toBeNull()
  })
})

describe('a running reply', () => {
  it('says what the assistant does until there is text', async () => {
    const chat = renderChat(aQuestion('q1'), aReply('r1', { content: '', state: 'streaming', lastEvent: 1 }))
    const stream = openEventStream()
    chat.api.on(chatsApi.events, () => streamOf(chatsApi.events, stream.events))
    stream.send({ seq: 2, type: 'status', status: 'searching' })
    expect(await screen.findByText('Searching the documents…')).toBeDefined()
    stream.send({ seq: 3, type: 'status', status: 'thinking' })
    expect(await log().findByText('Writing the answer…')).toBeDefined()
    stream.send({ seq: 4, type: 'status', status: 'checking' })
    expect(await log().findByText('Checking the sources…')).toBeDefined()
    stream.send({ seq: 5, type: 'delta', text: 'Twenty' })
    expect(await log().findByText('Twenty')).toBeDefined()
    expect(log().queryByText('Checking the sources…')).toBeNull()
  })

  it('does not rerender other messages while it grows', async () => {
    const chat = renderChat(aQuestion('q1'), aReply('r1'))
    const stream = openEventStream()
    chat.api.on(chatsApi.send, () => streamOf(chatsApi.send, stream.events))
    await screen.findByText('Reply r1')
    await chat.user.type(screen.getByRole('textbox', { name: 'Message' }), 'More{Enter}')
    stream.send({ ...acceptedEvent('r2'), message: aQuestion('q2', { content: 'More' }) } as ReplyEvent, {
      seq: 2,
      type: 'delta',
      text: 'word',
    })
    await log().findByText('word')
    const renderCount = vi.mocked(tick.DeliveryTick).mock.calls.length
    for (let seq = 3; seq < 23; seq += 1) {
      stream.send({ seq, type: 'delta', text: ` ${seq}` })
      await log().findByText(new RegExp(` ${seq}$`))
    }
    expect(vi.mocked(tick.DeliveryTick).mock.calls.length).toBe(renderCount)
  })
})
