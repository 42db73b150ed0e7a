import { useState } from 'react'

/** Whether the state began while this component was shown. It is undefined until it is loaded. */
export function useIsNewly(state: boolean | undefined): boolean {
  const [wasFalse, setWasFalse] = useState(false)
  if (state === false && !wasFalse) setWasFalse(true)
  return wasFalse && state === true
}
