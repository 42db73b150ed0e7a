import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { Explorer } from './Explorer.tsx'

const tooltips = [
  ['Nov 1', 'Messages: 3'],
  ['Nov 2', 'Messages: 5'],
  ['Nov 3', 'Messages: 8'],
]

function renderChart() {
  render(
    <Explorer label="Values of Messages" tooltips={tooltips}>
      <svg role="img" aria-label="A chart" />
    </Explorer>,
  )
  return screen.getByRole('slider', { name: 'Values of Messages' })
}

describe('Explorer', () => {
  it('shows nothing until it is used', () => {
    renderChart()
    expect(screen.queryByText(/^Messages/)).toBeNull()
  })

  it('reads the values of a span to keyboard users, from the last one on', () => {
    const slider = renderChart()
    fireEvent.focus(slider)
    screen.getByText('Messages: 8')
    fireEvent.change(slider, { target: { value: '0' } })
    screen.getByText('Nov 1')
    expect(slider.getAttribute('aria-valuetext')).toBe('Nov 1, Messages: 3')
    fireEvent.blur(slider)
    expect(screen.queryByText(/^Messages/)).toBeNull()
  })

  it('shows the span under the pointer until the pointer leaves', () => {
    const frame = renderChart().parentElement as HTMLElement
    vi.spyOn(frame, 'getBoundingClientRect').mockReturnValue({ left: 100, width: 300 } as DOMRect)
    fireEvent.pointerMove(frame, { clientX: 250 })
    screen.getByText('Messages: 5')
    fireEvent.pointerMove(frame, { clientX: 999 })
    screen.getByText('Messages: 8')
    fireEvent.pointerLeave(frame)
    expect(screen.queryByText(/^Messages/)).toBeNull()
  })

  it('shows only the drawing without spans', () => {
    render(
      <Explorer label="Values" tooltips={[]}>
        <svg role="img" aria-label="A chart" />
      </Explorer>,
    )
    expect(screen.queryByRole('slider')).toBeNull()
  })
})
