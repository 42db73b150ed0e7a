/** Signals with which terminals, service managers, containers and launchers ask a process to stop. */
export const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const satisfies readonly NodeJS.Signals[]

/** Whether a process ended because someone asked it to stop, and not because of an error or a limit. */
export function isStopSignal(signal: NodeJS.Signals | null): boolean {
  return stopSignals.some((known) => known === signal)
}

/** Milliseconds in which further signals belong to the same stop. */
export const sameStopWindow = 2_000

export interface StopHandlers {
  /** Called on the first signal. */
  stop: () => void
  /** Called when someone presses Ctrl+C again because stopping takes too long for them. */
  stopNow: () => void
  now?: () => number
}

/**
 * One stop often arrives as several signals: a terminal and systemd send it to every process of the group, and each
 * launcher in between passes it on. Only a SIGINT that comes later is a second request.
 */
export function handleStopSignals({ stop, stopNow, now = () => performance.now() }: StopHandlers): void {
  let stoppingSince: number | null = null
  for (const signal of stopSignals)
    process.on(signal, () => {
      if (stoppingSince === null) {
        stoppingSince = now()
        stop()
      } else if (signal === 'SIGINT' && now() - stoppingSince > sameStopWindow) stopNow()
    })
}
