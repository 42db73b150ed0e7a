import { type ComponentType, useEffect, useState } from 'react'
import { log } from './log.ts'
import { nextTask } from './next-task.ts'

interface LazyProps {
  open: boolean
  /** Called when the code could not be loaded. Setting `open` again retries. */
  onLoadError: () => void
}

/** A component whose code is loaded when `open` is first true and then kept. `preload` loads it earlier. */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | null = null

  function preload(): void {
    load().then(
      (component) => {
        loaded = component
      },
      // Opening the component loads it again and reports a failure.
      () => undefined,
    )
  }

  function Lazy({ open, onLoadError, props }: LazyProps & { props: Props }) {
    const [Component, setComponent] = useState<ComponentType<Props> | null>(() => loaded)
    useEffect(() => {
      if (!open || Component !== null) return
      let isUnmounted = false
      nextTask()
        .then(load)
        .then(
          (component) => {
            loaded = component
            if (!isUnmounted) setComponent(() => component)
          },
          (cause: unknown) => {
            log('A component could not be loaded', cause)
            if (!isUnmounted) onLoadError()
          },
        )
      return () => {
        isUnmounted = true
      }
    }, [open, Component, onLoadError])
    const Shown = Component ?? loaded
    return Shown === null ? null : <Shown {...props} />
  }
  return Object.assign(Lazy, { preload })
}
