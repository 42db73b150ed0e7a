import { expect, it } from 'vitest'
import { aDocument } from '#testing/samples.ts'
import { groupByChannel } from './DocumentReview.tsx'

it('groups documents by channel, newest first, and keeps channels with the same name apart', () => {
  const physics = { _id: 'a', name: 'Physics' }
  const other = { _id: 'b', name: 'Physics' }
  const groups = groupByChannel([
    aDocument({ _id: '1', channel: physics }),
    aDocument({ _id: '2', channel: other }),
    aDocument({ _id: '3', channel: physics }),
  ])
  expect(groups.map(({ key, documents }) => [key, documents.map(({ _id }) => _id)])).toEqual([
    ['a', ['1', '3']],
    ['b', ['2']],
  ])
})
