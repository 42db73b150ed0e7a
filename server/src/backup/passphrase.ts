const minLength = 12

export function isLongEnough(passphrase: string): boolean {
  return passphrase.length >= minLength
}

export const passphraseRule = `must have at least ${minLength} characters`
