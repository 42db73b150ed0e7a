import { readFile } from 'node:fs/promises'

const pollIntervalMs = 100
/** /proc counts CPU time in hundredths of a second on every architecture that Node supports. */
const msPerTick = 10

export interface ProcessUsage {
  residentBytes: number
  /** CPU time of all threads. Unlike a duration, it does not depend on how busy the machine is. */
  cpuMs: number
}

/** Usage of a process; null if the process has ended. */
async function readUsage(pid: number): Promise<ProcessUsage | null> {
  const [status, stat] = await Promise.all(
    ['status', 'stat'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
  )
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status ?? '')?.[1]
  // The command's name in parentheses may contain spaces. User and system time are the 14th and 15th field.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (kilobytes === undefined || fields === undefined) return null
  return {
    residentBytes: Number(kilobytes) * 1024,
    cpuMs: (Number(fields[11]) + Number(fields[12])) * msPerTick,
  }
}

/**
 * Reports a process's usage ten times a second. Returns a function that stops it. Only Linux tells the usage of another
 * process: elsewhere the time since the start is reported as CPU time, and memory as 0.
 */
export function watchUsage(pid: number, onUsage: (usage: ProcessUsage) => void): () => void {
  const startedAt = performance.now()
  let isStopped = false
  async function report(): Promise<void> {
    const usage =
      process.platform === 'linux'
        ? await readUsage(pid)
        : { residentBytes: 0, cpuMs: performance.now() - startedAt }
    if (usage && !isStopped) onUsage(usage)
  }
  const timer = setInterval(() => void report(), pollIntervalMs)
  timer.unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
