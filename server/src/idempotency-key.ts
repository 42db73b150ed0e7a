/**
 * The key under which a result is stored: the client's key within its scope, which begins with the user. A key that
 * another user or another call happens to send means something else.
 */
export function scopeIdempotencyKey(key: string | null, ...scope: readonly [userId: string, ...string[]]) {
  return key && [...scope, key].join(':')
}
