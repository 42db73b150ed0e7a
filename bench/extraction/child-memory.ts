import { readdirSync, readFileSync } from 'node:fs'

const every = 20

/** The processes that a process has started. */
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

/** What a process holds now, in megabytes; 0 when it is gone. */
export function residentOf(pid: string): number {
  return kilobytesOf(pid, 'VmRSS') / 1024
}

/** The most a process has held so far, in megabytes; 0 when it is gone. */
function mostOf(pid: string): number {
  return kilobytesOf(pid, 'VmHWM') / 1024
}

/** Looks at the children of a process until told to stop; the most memory that one of them held, in megabytes. */
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
