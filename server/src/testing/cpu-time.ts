/** How long this thread has worked so far, in milliseconds; what others do on the same machine is not counted. */
function worked(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** How long this thread works on something, whatever else keeps the machine busy. */
export function workOf(task: () => unknown): number {
  const begun = worked()
  task()
  return worked() - begun
}

/** The longest this thread works at a stretch, with no turn for anybody else, until a task has ended. */
export async function longestStretch(task: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = worked()
  function look() {
    const now = worked()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 1)
  try {
    await task()
  } finally {
    clearInterval(timer)
  }
  look()
  return longest
}
