import { useEffect, useState } from 'react'

/** The text as it was when typing last paused for this long. An empty text needs no pause. */
export function useDebounced(text: string, pauseMs: number): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), text === '' ? 0 : pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return text === '' ? '' : debounced
}
