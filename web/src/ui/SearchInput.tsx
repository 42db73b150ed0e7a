import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { controlStyle, singleLineHeight } from './control-style.ts'
import { cx } from './cx.ts'

/** Pause in typing after which the search starts. */
export const searchDelayMs = 300

interface Props {
  label: string
  /** The current search. */
  value: string
  onSearch: (text: string) => void
  maxLength?: number
  /** Called with the text of the field, before the pause in typing has passed. */
  onEnter?: (text: string) => void
  onArrowDown?: (text: string) => void
  className?: string
}

/** A search field that searches after a pause in typing. */
export function SearchInput(props: Props) {
  const { label, value, onSearch, maxLength = 200, onEnter, onArrowDown, className } = props
  const [text, setText] = useState(value)
  const ownSearch = useRef(value)
  const search = useEffectEvent((wanted: string) => {
    ownSearch.current = wanted
    onSearch(wanted)
  })
  // The search may change elsewhere, such as by Clear Filters or the browser's back button. The user may have typed on
  // since a search of this field.
  useEffect(() => {
    if (value !== ownSearch.current) setText(value)
    ownSearch.current = value
  }, [value])
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => search(text.trim()), searchDelayMs)
    return () => clearTimeout(timer)
  }, [text, value])

  /** Escape clears the field first. In an empty field, it does what it does elsewhere on the page. */
  function handleKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    const act = { Enter: onEnter, ArrowDown: onArrowDown }[event.key]
    if (act !== undefined) {
      event.preventDefault()
      act(text.trim())
    }
    if (event.key !== 'Escape' || text === '') return
    event.preventDefault()
    event.stopPropagation()
    setText('')
    if (value === '') return
    ownSearch.current = ''
    onSearch('')
  }

  return (
    <span className={cx('relative block', className)}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={maxLength}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={handleKeyDown}
        className={cx(controlStyle, singleLineHeight, 'pl-9')}
      />
    </span>
  )
}
