/**
 * Answers the calls of some milliseconds with one: `run` gets their items in order and returns one result for each. If it
 * fails, all of them fail.
 */
export function batchCalls<Item, Result>(
  waitMs: number,
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let batch: { items: Item[]; results: Promise<readonly Result[]> } | null = null

  async function runLater(items: readonly Item[]): Promise<readonly Result[]> {
    await new Promise((resolve) => {
      setTimeout(resolve, waitMs)
    })
    batch = null
    return run(items)
  }

  return async (item) => {
    if (!batch) {
      const items: Item[] = []
      batch = { items, results: runLater(items) }
    }
    const { items, results } = batch
    const index = items.push(item) - 1
    return (await results)[index] as Result
  }
}
