import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { PartBoundary } from './PartBoundary.tsx'
import { RecoveryBoundary } from './RecoveryBoundary.tsx'

function Greeting({ name }: { name: string }) {
  return <p>Hello {name !== '' && <span>{name}</span>} and welcome</p>
}

function Broken(): never {
  throw new Error('broken')
}

/** Does what a translation does: puts each text node into an element of its own. */
function wrapTextNodes(container: HTMLElement): void {
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT)
  const nodes: Node[] = []
  while (walker.nextNode()) nodes.push(walker.currentNode)
  for (const node of nodes) {
    const font = document.createElement('font')
    node.parentNode?.replaceChild(font, node)
    font.append(node)
  }
}

beforeEach(() => {
  // React reports every error that a boundary catches.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})

describe('PartBoundary', () => {
  it.each([
    ['moved', (element: HTMLElement) => wrapTextNodes(element)],
    ['removed', (element: HTMLElement) => element.querySelector('span')?.remove()],
  ])('renders its content again when nodes that React changes were %s', (_, disturb) => {
    const { container, rerender } = render(
      <PartBoundary name="This message">
        <Greeting name="Olu" />
      </PartBoundary>,
    )
    disturb(container)
    rerender(
      <PartBoundary name="This message">
        <Greeting name="" />
      </PartBoundary>,
    )
    rerender(
      <PartBoundary name="This message">
        <Greeting name="Ada" />
      </PartBoundary>,
    )
    expect(container.textContent).toBe('Hello Ada and welcome')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('shows an error when its content fails again, and leaves other parts alone', async () => {
    const { rerender } = render(
      <>
        <PartBoundary name="This message">
          <Broken />
        </PartBoundary>
        <Greeting name="Ada" />
      </>,
    )
    expect(screen.getByRole('alert').textContent).toBe('This message could not be shown.Try again')
    expect(screen.getByText('Ada')).toBeDefined()

    rerender(
      <>
        <PartBoundary name="This message">
          <p>Works again</p>
        </PartBoundary>
        <Greeting name="Ada" />
      </>,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(screen.getByText('Works again')).toBeDefined()
  })
})

describe('RecoveryBoundary', () => {
  it('forgets a failure when its reset key changes', () => {
    const { rerender } = render(
      <RecoveryBoundary resetKey="one" fallback={() => 'Failed'}>
        <Broken />
      </RecoveryBoundary>,
    )
    expect(screen.getByText('Failed')).toBeDefined()
    act(() =>
      rerender(
        <RecoveryBoundary resetKey="two" fallback={() => 'Failed'}>
          <p>Another page</p>
        </RecoveryBoundary>,
      ),
    )
    expect(screen.getByText('Another page')).toBeDefined()
  })
})
