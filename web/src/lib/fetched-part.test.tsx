import { render, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fetchedPart } from './fetched-part.tsx'

function Words({ words }: { words: string }) {
  return <p>{words}</p>
}
const given = { onUnavailable: () => undefined, props: { words: 'Here it is' } }

describe('a part of a screen', () => {
  it('says that it could not be fetched, and is fetched again when it is needed again', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const fetch = vi.fn<() => Promise<typeof Words>>().mockRejectedValueOnce(new Error('no line'))
    fetch.mockResolvedValue(Words)
    const Part = fetchedPart(fetch)
    const onUnavailable = vi.fn()
    const { rerender } = render(<Part {...given} isNeeded onUnavailable={onUnavailable} />)
    await waitFor(() => expect(onUnavailable).toHaveBeenCalledOnce())
    rerender(<Part {...given} isNeeded={false} />)
    rerender(<Part {...given} isNeeded />)
    expect(await screen.findByText('Here it is')).toBeDefined()
  })

  it('that was prepared is there at once, for the key that is pressed next', async () => {
    const fetch = vi.fn(async () => Words)
    const Part = fetchedPart(fetch)
    const { rerender } = render(<Part {...given} isNeeded={false} />)
    expect(fetch).not.toHaveBeenCalled()
    Part.prepare()
    await fetch.mock.results[0]?.value
    rerender(<Part {...given} isNeeded />)
    expect(screen.getByText('Here it is')).toBeDefined()
  })

  it('whose preparation failed says so only to whoever needs it', async () => {
    const fetch = vi.fn<() => Promise<typeof Words>>().mockRejectedValueOnce(new Error('no line'))
    fetch.mockResolvedValue(Words)
    const Part = fetchedPart(fetch)
    Part.prepare()
    render(<Part {...given} isNeeded />)
    expect(await screen.findByText('Here it is')).toBeDefined()
  })
})
