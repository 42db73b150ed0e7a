import { render, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Reply } from './Reply.tsx'

vi.mock('./katex.ts', () => ({
  renderFormula: () => {
    throw new RangeError('Maximum call stack size exceeded')
  },
}))

it('shows the source of an invalid formula and the rest of the reply', async () => {
  const { container } = render(<Reply text={'Before $x^{2}$ after'} />)
  await waitFor(() => expect(container.textContent).toBe('Before x^{2} after'))
})
