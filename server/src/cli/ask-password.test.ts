import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { askPassword } from './ask-password.ts'

let shown = ''
let isRaw = false
beforeEach(() => {
  shown = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    if (String(text).endsWith(': ')) expect(isRaw).toBe(true)
    shown += text
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  expect(isRaw).toBe(false)
})

function openTerminal(isTTY: boolean) {
  const keys = new PassThrough()
  const terminal = Object.assign(keys, {
    isTTY,
    setRawMode(raw: boolean) {
      isRaw = raw
      return terminal
    },
  }) as unknown as NodeJS.ReadStream
  return { keys, terminal }
}

/** Types one answer per prompt, each after its prompt has appeared. */
async function typeAnswers(...answers: string[]): Promise<string> {
  const { keys, terminal } = openTerminal(true)
  const asked = askPassword(terminal)
  const settled = asked.then(
    () => undefined,
    () => undefined,
  )
  for (const [index, answer] of answers.entries()) {
    await vi.waitUntil(() => shown.split(': ').length > index + 1)
    keys.write(answer)
  }
  await settled
  return asked
}

it('asks twice and does not echo the input', async () => {
  expect(await typeAnswers('sécret 1x\u007f\r', 'sécret 1\r')).toBe('sécret 1')
  expect(shown).toBe('Password: \nRepeat password: \n')
})

it('rejects two passwords that differ', async () => {
  await expect(typeAnswers('one\r', 'two\r')).rejects.toThrow("Passwords don't match")
})

it('stops on Ctrl+C', async () => {
  await expect(typeAnswers('one\u0003')).rejects.toThrow('Nothing was changed.')
})

it('reads the first line of standard input when there is no terminal', async () => {
  const { keys, terminal } = openTerminal(false)
  keys.end('from a pipe\r\nand more\n')
  expect(await askPassword(terminal)).toBe('from a pipe')
  const empty = openTerminal(false)
  empty.keys.end('')
  await expect(askPassword(empty.terminal)).rejects.toThrow('No password was given')
})
