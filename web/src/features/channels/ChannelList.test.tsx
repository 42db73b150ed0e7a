import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { aChannel } from '#testing/samples.ts'
import { ChannelList } from './ChannelList.tsx'

function renderList(count: number) {
  const channels = Array.from({ length: count }, (_, index) =>
    aChannel({ _id: `c${index + 1}`, name: `Channel ${index + 1}`, description: '' }),
  )
  const onSelect = vi.fn()
  render(
    <ChannelList channels={channels} currentId="c2" onSelect={onSelect}>
      <p>Chats of the open channel</p>
    </ChannelList>,
  )
  return { user: userEvent.setup(), onSelect }
}

function listNames(): (string | undefined)[] {
  return screen.getAllByRole('link').map(({ textContent }) => textContent.match(/Channel \d+/)?.[0])
}

describe('ChannelList', () => {
  it('has no filter with few channels', () => {
    renderList(9)
    expect(screen.queryByRole('searchbox')).toBeNull()
    expect(listNames()).toHaveLength(9)
  })

  it('keeps the order of up to five channels', () => {
    renderList(5)
    expect(listNames()).toEqual([1, 2, 3, 4, 5].map((number) => `Channel ${number}`))
  })

  it('begins with the open one of six channels or more', () => {
    renderList(6)
    expect(listNames()).toEqual([2, 1, 3, 4, 5, 6].map((number) => `Channel ${number}`))
  })

  it('shows the matching channels from the first above the open one without its chats', async () => {
    const { user } = renderList(12)
    const scroller = screen.getByRole('list').parentElement
    if (scroller !== null) scroller.scrollTop = 300
    await user.type(screen.getByRole('searchbox', { name: 'Find a channel' }), 'channel 1')
    await vi.waitFor(() => expect(listNames()).toHaveLength(5))
    expect(listNames()).toEqual([1, 10, 11, 12, 2].map((number) => `Channel ${number}`))
    expect(scroller?.scrollTop).toBe(0)
    expect(screen.getByText('Chats of the open channel').closest('[hidden]')).not.toBeNull()
  })

  it('shows all channels and the chats again when Escape clears the filter', async () => {
    const { user } = renderList(12)
    const field = screen.getByRole<HTMLInputElement>('searchbox')
    await user.type(field, 'channel 1')
    await vi.waitFor(() => expect(listNames()).toHaveLength(5))
    await user.type(field, '{Escape}')
    expect(field.value).toBe('')
    expect(listNames()).toHaveLength(12)
    expect(screen.getByText('Chats of the open channel').closest('[hidden]')).toBeNull()
  })

  it('says that nothing matches and keeps the open channel', async () => {
    const { user } = renderList(12)
    await user.type(screen.getByRole('searchbox'), 'zzz')
    await screen.findByText('No channel matches “zzz”.')
    expect(screen.getByRole('link').getAttribute('aria-current')).toBe('page')
    screen.getByText('Current channel')
  })

  it('opens the first match with Enter, before the pause in typing has passed', async () => {
    const { user, onSelect } = renderList(12)
    await user.type(screen.getByRole('searchbox'), 'zzz{Enter}')
    expect([location.pathname, onSelect.mock.calls.length]).toEqual(['/', 0])
    await user.clear(screen.getByRole('searchbox'))
    await user.type(screen.getByRole('searchbox'), 'channel 1{Enter}')
    expect([location.pathname, onSelect.mock.calls.length]).toEqual(['/channels/c1', 1])
    await vi.waitFor(() => expect(listNames()).toHaveLength(12))
    history.replaceState(null, '', '/')
  })

  it('leads into the matches and back with the arrow keys', async () => {
    const { user } = renderList(12)
    const field = screen.getByRole('searchbox')
    await user.type(field, 'channel 1{ArrowDown}')
    expect(document.activeElement).toBe(screen.getByRole('link', { name: /Channel 1\D|Channel 1$/ }))
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement?.textContent).toContain('Channel 10')
    await user.keyboard('{ArrowUp}{ArrowUp}')
    expect(document.activeElement).toBe(field)
    expect(screen.queryByText('Current channel')).not.toBeNull()
  })

  it('does not set the open channel apart when it matches', async () => {
    const { user } = renderList(12)
    await user.type(screen.getByRole('searchbox'), 'channel 2')
    await vi.waitFor(() => expect(listNames()).toEqual(['Channel 2']))
    expect(screen.queryByText('Current channel')).toBeNull()
  })

  it('clears the filter when a channel is chosen', async () => {
    const { user, onSelect } = renderList(12)
    await user.type(screen.getByRole('searchbox'), '10')
    await vi.waitFor(() => expect(listNames()).toHaveLength(2))
    await user.click(screen.getByRole('link', { name: /Channel 10/ }))
    expect(onSelect).toHaveBeenCalledTimes(1)
    await vi.waitFor(() => expect(listNames()).toHaveLength(12))
  })
})
