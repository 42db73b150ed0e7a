const shortestPassphrase = 12

export const isLongEnough = (passphrase: string): boolean => passphrase.length >= shortestPassphrase

export const passphraseRule = `must have at least ${shortestPassphrase} characters`
