const shortestPassphrase = 12

export function isLongEnough(passphrase: string): boolean {
  return passphrase.length >= shortestPassphrase
}

export const passphraseRule = `must have at least ${shortestPassphrase} characters`
