/** What a action says when it worked and, when the server sent no sentence of its own, when it did not. */
interface Outcome {
  readonly done: string
  readonly failed: string
}

export function outcome(done: string, failed: string): Outcome {
  return { done, failed }
}
