/** The texts shown after an action: `failed` is used when the server sends no message. */
interface Outcome {
  readonly done: string
  readonly failed: string
}

export function outcome(done: string, failed: string): Outcome {
  return { done, failed }
}
