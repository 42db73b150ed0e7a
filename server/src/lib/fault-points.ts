/**
 * Named points in the code at which a crash test can kill the process, as a power cut would: `FAULT_POINT=name`, or
 * `name:3` for the third time the point is reached. Does nothing without the setting.
 */
export interface FaultPoints {
  reach(name: string): void
}

export function createFaultPoints(setting: string | undefined): FaultPoints {
  if (setting === undefined) return { reach: () => undefined }
  const [name, occurrence = '1'] = setting.split(':')
  let remaining = Number(occurrence)
  return {
    reach(reached) {
      if (reached !== name) return
      remaining -= 1
      if (remaining === 0) process.kill(process.pid, 'SIGKILL')
    },
  }
}
