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

/** Measures the CPU milliseconds that all threads of this process spend on a task. */
export async function measureProcessTime(task: () => Promise<unknown>): Promise<number> {
  const begun = process.cpuUsage()
  await task()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}

/**
 * Measures how many times more work a task takes for an input ten times as large: about 10 if it is linear, 100 if
 * quadratic. The result is a ratio of CPU times, so it does not depend on the machine.
 */
export function measureGrowth(task: (size: number) => unknown, size: number): number {
  /** The system counts CPU time in steps of up to 10 ms, so short tasks are repeated. */
  function measureRun(inputSize: number): number {
    const begun = getCpuTime()
    let runs = 0
    do {
      task(inputSize)
      runs += 1
    } while (getCpuTime() - begun < 100)
    return (getCpuTime() - begun) / runs
  }
  measureRun(size)
  return measureRun(size * 10) / measureRun(size)
}
