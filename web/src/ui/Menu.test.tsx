import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { describe, expect, it, vi } from 'vitest'
import { Menu } from './Menu.tsx'

function renderMenu() {
  const rename = vi.fn()
  const remove = vi.fn()
  const outerKeyDown = vi.fn()
  render(
    // biome-ignore lint/a11y/noStaticElementInteractions: records the keys that the menu does not handle
    <div onKeyDown={outerKeyDown}>
      <Menu
        label="More"
        icon={Ellipsis}
        items={[
          { label: 'Rename', icon: Pencil, onChoose: rename },
          { label: 'Delete', icon: Trash2, tone: 'danger', onChoose: remove },
        ]}
      />
      <p>Beside it</p>
    </div>,
  )
  const button = screen.getByRole('button', { name: 'More' })
  return { user: userEvent.setup(), button, rename, remove, outerKeyDown }
}

describe('Menu', () => {
  it('opens with its button and puts the focus on the first action', async () => {
    const { user, button } = renderMenu()
    expect(screen.queryByRole('menu')).toBeNull()
    await user.click(button)
    expect(button.getAttribute('aria-expanded')).toBe('true')
    const first = await screen.findByRole('menuitem', { name: 'Rename' })
    expect(document.activeElement).toBe(first)
    await user.click(button)
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('moves the focus with the arrow keys and wraps around', async () => {
    const { user, button } = renderMenu()
    button.focus()
    await user.keyboard('{ArrowDown}')
    await screen.findByRole('menu')
    await user.keyboard('{ArrowUp}')
    expect(document.activeElement?.textContent).toBe('Delete')
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement?.textContent).toBe('Rename')
    await user.keyboard('{End}')
    expect(document.activeElement?.textContent).toBe('Delete')
  })

  it('runs the chosen action once and closes', async () => {
    const { user, button, rename, remove } = renderMenu()
    await user.click(button)
    await screen.findByRole('menu')
    await user.keyboard('{Enter}')
    expect(rename).toHaveBeenCalledTimes(1)
    expect(remove).not.toHaveBeenCalled()
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('closes with Escape, which does not propagate, and restores the focus', async () => {
    const { user, button, outerKeyDown } = renderMenu()
    await user.click(button)
    await screen.findByRole('menu')
    outerKeyDown.mockClear()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(document.activeElement).toBe(button)
    expect(outerKeyDown).not.toHaveBeenCalled()
  })

  it('closes on a click outside and when its container is scrolled', async () => {
    const { user, button } = renderMenu()
    await user.click(button)
    await screen.findByRole('menu')
    await user.click(screen.getByText('Beside it'))
    expect(screen.queryByRole('menu')).toBeNull()
    await user.click(button)
    await screen.findByRole('menu')
    screen.getByText('Beside it').dispatchEvent(new Event('scroll'))
    expect(screen.getByRole('menu')).toBeDefined()
    document.dispatchEvent(new Event('scroll'))
    await vi.waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  })

  it('shows why items are disabled, keeps them focusable and does not run them', async () => {
    const share = vi.fn()
    const print = vi.fn()
    const disabledReason = 'This chat has no messages yet.'
    render(
      <Menu
        label="More"
        icon={Ellipsis}
        items={[
          { label: 'Share', icon: Pencil, disabledReason, onChoose: share },
          { label: 'Print', icon: Pencil, disabledReason, onChoose: print },
          { label: 'Delete', icon: Trash2, onChoose: vi.fn() },
        ]}
      />,
    )
    const user = userEvent.setup()
    await user.click(screen.getByRole('button', { name: 'More' }))
    const item = await screen.findByRole('menuitem', { name: 'Share', description: disabledReason })
    expect(document.activeElement).toBe(item)
    expect(item.getAttribute('aria-disabled')).toBe('true')
    await user.keyboard('{Enter}')
    await user.click(screen.getByRole('menuitem', { name: 'Print', description: disabledReason }))
    expect(share).not.toHaveBeenCalled()
    expect(print).not.toHaveBeenCalled()
    screen.getByRole('menuitem', { name: 'Delete', description: '' })
    expect(screen.getAllByText(disabledReason)).toHaveLength(1)
  })
})
