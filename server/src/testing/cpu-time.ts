/** CPU time of this thread so far, in milliseconds. Other work on the machine does not count. */
function getCpuTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Measures the CPU milliseconds this thread spends on a task. */
export function measureCpuTime(task: () => unknown): number {
  const begun = getCpuTime()
  task()
  return getCpuTime() - begun
}

/** Measures the longest time, in CPU milliseconds, for which a task blocks the event loop of this thread. */
export async function measureLongestTask(task: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = getCpuTime()
  function sample() {
    const now = getCpuTime()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(sample, 1)
  try {
    await task()
  } finally {
    clearInterval(timer)
  }
  sample()
  return longest
}
