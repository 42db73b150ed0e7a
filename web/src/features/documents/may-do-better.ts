import { ApiError } from '#api/api-error.ts'

/** A file that was refused for what it is will be refused again; anything else may do better another time. */
export function mayDoBetter(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status < 400 || error.status === 429 || error.status >= 500
}
