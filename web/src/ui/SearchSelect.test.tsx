import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { SearchSelect } from './SearchSelect.tsx'

const names = ['All Channels', 'Physics', 'Law', 'Geology']

function Filter() {
  const [value, setValue] = useState('All Channels')
  const [search, setSearch] = useState('')
  const options = names
    .filter((name) => name.toLowerCase().includes(search.toLowerCase()))
    .map((name) => ({ value: name, label: name }))
  return (
    <SearchSelect
      label="Channel"
      value={value}
      valueLabel={value}
      options={options}
      onSearch={setSearch}
      onChange={setValue}
    />
  )
}

function renderFilter() {
  render(<Filter />)
  return { user: userEvent.setup(), field: screen.getByRole('combobox', { name: 'Channel' }) }
}
function listOptions() {
  return screen.queryAllByRole('option').map(({ textContent }) => textContent)
}

it('shows the value, and all options when opened', async () => {
  const { user, field } = renderFilter()
  expect(field).toHaveProperty('value', 'All Channels')
  expect(listOptions()).toEqual([])
  await user.click(field)
  expect(listOptions()).toEqual(names)
  screen.getByRole('option', { name: 'All Channels', selected: true })
})

it('filters the options while typing and selects on click', async () => {
  const { user, field } = renderFilter()
  await user.click(field)
  await user.type(field, 'ph')
  expect(listOptions()).toEqual(['Physics'])
  await user.click(screen.getByRole('option', { name: 'Physics' }))
  expect(field).toHaveProperty('value', 'Physics')
  expect(listOptions()).toEqual([])
})

it('works with the keyboard alone', async () => {
  const { user, field } = renderFilter()
  await user.tab()
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  expect(field.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { name: 'Physics' }).id)
  await user.keyboard('{Enter}')
  expect(field).toHaveProperty('value', 'Physics')
})

it('keeps the value on Escape and blur', async () => {
  const { user, field } = renderFilter()
  await user.click(field)
  await user.type(field, 'zzz')
  screen.getByText('No matches.')
  await user.keyboard('{Escape}')
  expect(field).toHaveProperty('value', 'All Channels')
  await user.click(field)
  await user.type(field, 'law')
  await user.tab()
  expect(field).toHaveProperty('value', 'All Channels')
  expect(listOptions()).toEqual([])
})
