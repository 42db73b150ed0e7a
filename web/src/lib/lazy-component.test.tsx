import { render, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { lazyComponent } from './lazy-component.tsx'

function Label({ text }: { text: string }) {
  return <p>{text}</p>
}
const defaultProps = { onLoadError: () => undefined, props: { text: 'Loaded' } }

function failOnce() {
  const load = vi.fn<() => Promise<typeof Label>>().mockRejectedValueOnce(new Error('no connection'))
  return load.mockResolvedValue(Label)
}

describe('lazyComponent', () => {
  it('reports a failed load and loads again when it is next opened', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const Lazy = lazyComponent(failOnce())
    const onLoadError = vi.fn()
    const { rerender } = render(<Lazy {...defaultProps} open onLoadError={onLoadError} />)
    await waitFor(() => expect(onLoadError).toHaveBeenCalledOnce())
    rerender(<Lazy {...defaultProps} open={false} />)
    rerender(<Lazy {...defaultProps} open />)
    expect(await screen.findByText('Loaded')).toBeDefined()
  })

  it('renders at once when it was preloaded', async () => {
    const load = vi.fn(async () => Label)
    const Lazy = lazyComponent(load)
    const { rerender } = render(<Lazy {...defaultProps} open={false} />)
    expect(load).not.toHaveBeenCalled()
    Lazy.preload()
    await load.mock.results[0]?.value
    rerender(<Lazy {...defaultProps} open />)
    expect(screen.getByText('Loaded')).toBeDefined()
  })

  it('loads again after a failed preload', async () => {
    const Lazy = lazyComponent(failOnce())
    Lazy.preload()
    render(<Lazy {...defaultProps} open />)
    expect(await screen.findByText('Loaded')).toBeDefined()
  })
})
