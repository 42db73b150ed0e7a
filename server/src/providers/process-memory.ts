import { readFile } from 'node:fs/promises'

const pollIntervalMs = 250

/** Resident memory of a process; null if the process has ended or the system is not Linux. */
async function readResidentBytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  return kilobytes ? Number(kilobytes) * 1024 : null
}

/** Calls `onExceeded` once when the process uses more than `limit` bytes. Returns a function that stops watching. */
export function watchMemory(pid: number, limit: number, onExceeded: () => void): () => void {
  if (process.platform !== 'linux') return () => undefined
  const timer = setInterval(() => {
    void readResidentBytes(pid).then((bytes) => {
      if (bytes === null || bytes <= limit) return
      clearInterval(timer)
      onExceeded()
    })
  }, pollIntervalMs)
  timer.unref()
  return () => clearInterval(timer)
}
