import { readdirSync, readFileSync } from 'node:fs'

const pollIntervalMs = 20

/** The child processes of a process. */
export function listChildren(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean)
    } catch {
      return []
    }
  })
}

function readKilobytes(pid: string, field: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Resident memory of a process in megabytes; 0 if it has ended. */
export function readResidentMemory(pid: string): number {
  return readKilobytes(pid, 'VmRSS') / 1024
}

/** Peak resident memory of a process in megabytes; 0 if it has ended. */
function readPeakMemory(pid: string): number {
  return readKilobytes(pid, 'VmHWM') / 1024
}

/** Returns a function that stops watching and returns the peak memory of the largest child, in megabytes. */
export function watchChildren(pid = process.pid): () => number {
  let peak = 0
  const timer = setInterval(() => {
    for (const child of listChildren(pid)) peak = Math.max(peak, readPeakMemory(child))
  }, pollIntervalMs)
  return () => {
    clearInterval(timer)
    return peak
  }
}
