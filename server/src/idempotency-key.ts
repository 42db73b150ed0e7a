/**
 * The key under which a result is stored: the client's key within its scope, which begins with the user. The same key
 * sent by another user or to another endpoint is a different key.
 */
export function scopeIdempotencyKey(key: string | null, ...scope: readonly [userId: string, ...string[]]) {
  return key && [...scope, key].join(':')
}
