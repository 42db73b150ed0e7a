import type { Screen } from './browser.ts'

/** How smoothly a page ran, by its own clock and the browser's counters. */
export interface Smoothness {
  /** Percentage of frames (60 per second) that were not drawn. */
  droppedPercent: number
  longTasks: number
  /** The longest task in milliseconds; 0 when none reached 50. */
  longest: number
  /** Milliseconds of the main thread: JavaScript only, and in total. */
  script: number
  main: number
  seconds: number
}

interface Watch {
  frames: number[]
  tasks: number[]
  isOver: boolean
}

const frameMs = 1000 / 60

async function readCounters({ cdp }: Screen): Promise<Map<string, number>> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
}

/** Returns one of the browser's counters for a page, such as the number of DOM nodes. */
export async function readCounter(screen: Screen, name: string): Promise<number> {
  return (await readCounters(screen)).get(name) ?? Number.NaN
}

function startWatching({ page }: Screen) {
  return page.evaluateHandle(() => {
    const watch: Watch = { frames: [], tasks: [], isOver: false }
    new PerformanceObserver((list) => {
      if (!watch.isOver) for (const { duration } of list.getEntries()) watch.tasks.push(duration)
    }).observe({ type: 'longtask' })
    function recordFrame(at: number): void {
      watch.frames.push(at)
      if (!watch.isOver) requestAnimationFrame(recordFrame)
    }
    requestAnimationFrame(recordFrame)
    return watch
  })
}

function computeDroppedPercent(frames: readonly number[]): number {
  let dropped = 0
  for (const [at, time] of frames.entries()) {
    const gap = time - (frames[at - 1] ?? time)
    dropped += Math.max(0, Math.round(gap / frameMs) - 1)
  }
  return (dropped / (dropped + frames.length)) * 100
}

/** Measures a page during a task. */
export async function measureSmoothness<R>(screen: Screen, work: () => Promise<R>): Promise<[R, Smoothness]> {
  const before = await readCounters(screen)
  const watch = await startWatching(screen)
  const result = await work()
  const after = await readCounters(screen)
  const { frames, tasks } = await watch.evaluate((watching) => {
    watching.isOver = true
    return { frames: watching.frames, tasks: watching.tasks }
  })
  function getIncrease(name: string): number {
    return ((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000
  }
  return [
    result,
    {
      droppedPercent: computeDroppedPercent(frames),
      longTasks: tasks.length,
      longest: Math.max(0, ...tasks),
      script: getIncrease('ScriptDuration'),
      main: getIncrease('TaskDuration'),
      seconds: ((frames.at(-1) ?? 0) - (frames[0] ?? 0)) / 1000,
    },
  ]
}
