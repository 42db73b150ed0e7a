import { readFile } from 'node:fs/promises'

const every = 250

/** Resident memory of a process; null where the system does not tell (only Linux does). */
async function residentBytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  return kilobytes ? Number(kilobytes) * 1024 : null
}

/** Calls `onExceeded` once when the process holds more than `limit`; returns how to stop watching. */
export function watchMemory(pid: number, limit: number, onExceeded: () => void): () => void {
  if (process.platform !== 'linux') return () => undefined
  const timer = setInterval(() => {
    void residentBytes(pid).then((bytes) => {
      if (bytes === null || bytes <= limit) return
      clearInterval(timer)
      onExceeded()
    })
  }, every)
  timer.unref()
  return () => clearInterval(timer)
}
