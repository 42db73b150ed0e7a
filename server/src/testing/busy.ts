/** How long this thread has worked so far, in milliseconds; what others do on the same machine is not counted. */
const worked = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** How long this thread works on something, whatever else keeps the machine busy. */
export const workOf = (task: () => unknown): number => {
  const begun = worked()
  task()
  return worked() - begun
}

/** The longest this thread works at a stretch, with no turn for anybody else, until a task has ended. */
export const longestStretch = async (task: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let last = worked()
  const look = () => {
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
