import { expect, it } from 'vitest'
import { rankWithLucene } from './lucene.ts'

it('ranks passages by the analyzed words of each question', () => {
  const passages = [
    'Kitaplar rafta duruyor.',
    'Kediler\nbahçede uyuyor,\tkediler oynuyor.',
    'Bahçede bir kedi var.',
  ]
  expect(rankWithLucene('tr', passages, ['Balık?', 'kedilerin', 'Kitabı nerede bulurum?'], 2)).toEqual([
    [],
    [1, 2],
    [0],
  ])
})

it('rejects a language without an analyzer', () => {
  expect(() => rankWithLucene('xx', ['one'], ['two'], 1)).toThrow('no analyzer for xx')
})
