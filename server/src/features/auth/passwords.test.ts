import { describe, expect, it } from 'vitest'
import { checkPasswordChoice, isCommonPassword } from './passwords.ts'

const ada = { email: 'ada.lovelace@example.org', name: 'Ada King Lovelace' }
function choose(password: string, minLength = 8) {
  return checkPasswordChoice(password, ada, { minLength })
}

describe('checkPasswordChoice', () => {
  it.each([
    ['sunshine'],
    ['SunShine'],
    ['trustno1'],
    ['1qaz2wsx'],
    ['Password2026'],
    ['aaaaaaaaaaaa'],
    ['\n\n\n\n\n\n\n\n'],
    ['ada.lovelace'],
    ['Ada.Lovelace@Example.org'],
    ['ADA KING LOVELACE'],
    ['adakinglovelace'],
    ['Lyceum2026'],
  ])('rejects %j', async (password) => {
    await expect(choose(password)).rejects.toMatchObject({
      code: 'auth.password_common',
      fields: { password: 'This password is too easy to guess. Please choose another one.' },
    })
  })

  it('rejects passwords shorter than PASSWORD_MIN_LENGTH', async () => {
    await expect(choose('fourteen chars', 15)).rejects.toMatchObject({
      code: 'validation.failed',
      message: 'Password must be at least 15 characters',
    })
  })

  it.each([['seven quiet harbours'], ['sunshine over the lyceum'], ['密码是很长的一句话'], ['        x']])(
    'accepts %j',
    async (password) => {
      await expect(choose(password)).resolves.toBeUndefined()
    },
  )
})

it('rejects more than ten thousand common passwords of at least eight characters', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const long = dictionary['passwords-common'].filter((password) => password.length >= 8)
  expect(long.length).toBeGreaterThan(10_000)
  for (const password of long.filter((_, index) => index % 500 === 0))
    expect([password, await isCommonPassword(password.toUpperCase())]).toEqual([password, true])
})
