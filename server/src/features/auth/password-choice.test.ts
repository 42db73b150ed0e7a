import { describe, expect, it } from 'vitest'
import { readEnv } from '../../env.ts'
import { checkPasswordChoice, isCommonPassword } from './password-choice.ts'

const breached = 'twelve purple elephants'
const ada = { email: 'ada.lovelace@example.org', name: 'Ada King Lovelace' }
function choose(password: string, env: Record<string, string> = {}) {
  const deps = {
    env: readEnv({ PUBLIC_URL: 'https://chat.analytical-engine.example.net', ...env }),
    breachedPasswords: { has: async (candidate: string) => candidate === breached },
  }
  return checkPasswordChoice(deps, password, ada)
}

describe('checkPasswordChoice', () => {
  it.each([
    ['sunshine'],
    ['SunShine'],
    ['trustno1'],
    ['1qaz2wsx'],
    ['Password2026'],
    ['!Password-2026!'],
    ['aaaaaaaaaaaa'],
    ['\n\n\n\n\n\n\n\n'],
    ['ada.lovelace'],
    ['Ada.Lovelace@Example.org'],
    ['ADA KING LOVELACE'],
    ['adakinglovelace'],
    ['Lovelace_1815'],
    ['ada+lyceum=2026'],
    ['lyceumLYCEUM'],
    ['Lyceum2026'],
    ['Administrator123!'],
    ['analytical-engine'],
  ])('rejects %j', async (password) => {
    await expect(choose(password)).rejects.toMatchObject({
      code: 'auth.password_common',
      fields: { password: 'This password is too easy to guess. Please choose another one.' },
    })
  })

  it('rejects a password that appeared in a data breach', async () => {
    await expect(choose(breached)).rejects.toMatchObject({
      code: 'auth.password_breached',
      fields: { password: 'This password has appeared in a data breach. Please choose another one.' },
    })
  })

  it('rejects passwords shorter than PASSWORD_MIN_LENGTH', async () => {
    await expect(choose('fourteen chars', { PASSWORD_MIN_LENGTH: '15' })).rejects.toMatchObject({
      code: 'validation.failed',
      message: 'Password must be at least 15 characters',
    })
  })

  it.each([
    ['seven quiet harbours'],
    ['sunshine over the lyceum'],
    ['lovelace wrote programs'],
    ['密码是很长的一句话'],
    ['        x'],
    ['83920174'],
  ])('accepts %j', async (password) => {
    await expect(choose(password)).resolves.toBeUndefined()
  })
})

it('rejects more than ten thousand common passwords of at least eight characters', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const long = dictionary['passwords-common'].filter((password) => password.length >= 8)
  expect(long.length).toBeGreaterThan(10_000)
  for (const password of long.filter((_, index) => index % 500 === 0))
    expect([password, await isCommonPassword(password.toUpperCase())]).toEqual([password, true])
})
