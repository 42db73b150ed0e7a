import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { Reply } from './Reply.tsx'

const table = '| Dish | Price |\n|---|---|\n| Soup *of the day* [1] | <b>4</b> |\n| Bread | 2 |'

afterEach(() => vi.unstubAllGlobals())

it('copies a table as HTML and as tab-separated text', async () => {
  const user = userEvent.setup()
  const written: Record<string, Blob>[] = []
  vi.stubGlobal(
    'ClipboardItem',
    class {
      constructor(items: Record<string, Blob>) {
        written.push(items)
      }
    },
  )
  const write = vi.spyOn(navigator.clipboard, 'write').mockResolvedValue()
  render(<Reply text={table} />)
  await user.click(screen.getByRole('button', { name: 'Copy table' }))
  expect(await screen.findByText('Copied', { selector: '[role=status]' })).toBeDefined()
  expect(write).toHaveBeenCalledOnce()
  expect(await written[0]?.['text/plain']?.text()).toBe(
    'Dish\tPrice\nSoup of the day [1]\t<b>4</b>\nBread\t2',
  )
  expect(await written[0]?.['text/html']?.text()).toBe(
    '<table><tbody><tr><th>Dish</th><th>Price</th></tr><tr><td>Soup of the day [1]</td>' +
      '<td>&lt;b&gt;4&lt;/b&gt;</td></tr><tr><td>Bread</td><td>2</td></tr></tbody></table>',
  )
})

it('copies the text alone where the browser has no rich clipboard', async () => {
  const user = userEvent.setup()
  vi.stubGlobal('ClipboardItem', undefined)
  render(<Reply text={table} />)
  await user.click(screen.getByRole('button', { name: 'Copy table' }))
  expect(await screen.findByText('Copied', { selector: '[role=status]' })).toBeDefined()
  expect(await navigator.clipboard.readText()).toContain('Bread\t2')
})
