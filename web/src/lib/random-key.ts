/** A key that nobody else has. Unlike `randomUUID` it also works on pages that are served over plain http. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
