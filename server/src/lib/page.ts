/** The number of pages that a list of `total` items has. */
export function countPages(total: number, limit: number): number {
  return Math.ceil(total / limit)
}

/** One page of a list, in the shape that list endpoints return. */
export function toPage<T>(
  items: T[],
  total: number,
  limit: number,
): { items: T[]; total: number; totalPages: number } {
  return { items, total, totalPages: countPages(total, limit) }
}
