import { type ComponentType, useEffect, useState } from 'react'
import { log } from './log.ts'

interface Fetched {
  isNeeded: boolean
  /** It could not be fetched: whoever asked for it is told, and may ask again. */
  onUnavailable: () => void
}

/**
 * A part of a screen whose code is fetched when it is first needed, and kept from then on. `prepare` fetches it before
 * that: for what takes the keys that are typed next.
 */
export function fetchedPart<Props extends object>(fetch: () => Promise<ComponentType<Props>>) {
  let kept: ComponentType<Props> | null = null

  function prepare(): void {
    fetch().then(
      (part) => {
        kept = part
      },
      // It is fetched again, and its failure said, when somebody asks for it.
      () => undefined,
    )
  }

  function Fetched({ isNeeded, onUnavailable, props }: Fetched & { props: Props }) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(() => kept)
    useEffect(() => {
      if (!isNeeded || Part !== null) return
      let isGone = false
      fetch().then(
        (part) => {
          kept = part
          if (!isGone) setPart(() => part)
        },
        (cause: unknown) => {
          log('A part of the screen could not be fetched', cause)
          if (!isGone) onUnavailable()
        },
      )
      return () => {
        isGone = true
      }
    }, [isNeeded, Part, onUnavailable])
    const Shown = Part ?? kept
    return Shown === null ? null : <Shown {...props} />
  }
  return Object.assign(Fetched, { prepare })
}
