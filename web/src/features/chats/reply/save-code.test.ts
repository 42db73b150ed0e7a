import { expect, it } from 'vitest'
import { codeFileName } from './save-code.ts'

it.each([
  ['python', 'code.py'],
  ['TypeScript', 'code.ts'],
  ['sql', 'code.sql'],
  ['c++', 'code.cpp'],
  ['Dockerfile', 'Dockerfile'],
  ['', 'code.txt'],
  ['constructor', 'code.txt'],
  ['../etc', 'code.txt'],
])('names a file of %j', (language, name) => {
  expect(codeFileName(language)).toBe(name)
})
