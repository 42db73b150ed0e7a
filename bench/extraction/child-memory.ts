import { readdirSync, readFileSync } from 'node:fs'

const every = 20

/** The child processes of a process. */
export function childrenOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean)
    } catch {
      return []
    }
  })
}

function kilobytesOf(pid: string, field: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Resident memory of a process in megabytes; 0 if it has ended. */
export function residentOf(pid: string): number {
  return kilobytesOf(pid, 'VmRSS') / 1024
}

/** Peak resident memory of a process in megabytes; 0 if it has ended. */
function mostOf(pid: string): number {
  return kilobytesOf(pid, 'VmHWM') / 1024
}

/** Watches the children of a process until stopped. Returns the peak memory of one of them, in megabytes. */
export function watchChildren(pid = process.pid): () => number {
  let most = 0
  const timer = setInterval(() => {
    for (const child of childrenOf(pid)) most = Math.max(most, mostOf(child))
  }, every)
  return () => {
    clearInterval(timer)
    return most
  }
}
