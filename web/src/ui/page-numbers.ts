/** The pages to offer: the first, the last and those around the current one; 'gap' stands for what is left out. */
export function pageNumbers(current: number, total: number): (number | 'gap')[] {
  const shown = new Set([1, total, current - 1, current, current + 1])
  // A gap of one page would take as much room as the page itself.
  if (current <= 4) for (const page of [2, 3, 4, 5]) shown.add(page)
  if (current >= total - 3) for (const back of [1, 2, 3, 4]) shown.add(total - back)
  const pages = [...shown].filter((page) => page >= 1 && page <= total).sort((a, b) => a - b)
  return pages.flatMap((page, index) => {
    const before = pages[index - 1]
    return before !== undefined && page - before > 1 ? (['gap', page] as const) : [page]
  })
}
