import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A process may have ended before its turn. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export function listChildren(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ').filter(Boolean).map(Number) : []
}

export function listTree(pid: number): number[] {
  return [pid, ...listChildren(pid).flatMap(listTree)]
}

/** Processes of the group, whatever their parent is by now. */
export function listGroup(group: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        const [state, , pgrp] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
        return Number(pgrp) === group && state !== 'Z'
      } catch {
        return false
      }
    })
}
