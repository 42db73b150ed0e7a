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

function open() {
  render(<Filter />)
  return { user: userEvent.setup(), field: screen.getByRole('combobox', { name: 'Channel' }) }
}
function offered() {
  return screen.queryAllByRole('option').map(({ textContent }) => textContent)
}

it('shows what is chosen, and everything when it is opened', async () => {
  const { user, field } = open()
  expect(field).toHaveProperty('value', 'All Channels')
  expect(offered()).toEqual([])
  await user.click(field)
  expect(offered()).toEqual(names)
  screen.getByRole('option', { name: 'All Channels', selected: true })
})

it('narrows to what is typed, and takes what is pressed', async () => {
  const { user, field } = open()
  await user.click(field)
  await user.type(field, 'ph')
  expect(offered()).toEqual(['Physics'])
  await user.click(screen.getByRole('option', { name: 'Physics' }))
  expect(field).toHaveProperty('value', 'Physics')
  expect(offered()).toEqual([])
})

it('is used with the keyboard alone', async () => {
  const { user, field } = open()
  await user.tab()
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  expect(field.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { name: 'Physics' }).id)
  await user.keyboard('{Enter}')
  expect(field).toHaveProperty('value', 'Physics')
})

it('leaves everything as it was on the way out', async () => {
  const { user, field } = open()
  await user.click(field)
  await user.type(field, 'zzz')
  screen.getByText('Nothing is called that.')
  await user.keyboard('{Escape}')
  expect(field).toHaveProperty('value', 'All Channels')
  await user.click(field)
  await user.type(field, 'law')
  await user.tab()
  expect(field).toHaveProperty('value', 'All Channels')
  expect(offered()).toEqual([])
})
