import { describe, expect, it } from 'vitest'
import { restoreListPath, toListState } from './list-path.ts'

describe('restoreListPath', () => {
  it.each([
    ['page=3&size=50', '/admin/groups?page=3&size=50'],
    ['', '/admin/groups'],
  ])('restores the search %j', (search, path) => {
    expect(restoreListPath('/admin/groups', toListState(search))).toBe(path)
  })

  it.each([null, undefined, 'x', {}, { list: 3 }, { list: '//evil.example' }])(
    'returns the whole list for %j',
    (state) => {
      expect(restoreListPath('/admin/groups', state)).toBe('/admin/groups')
    },
  )
})
