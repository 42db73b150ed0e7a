import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { formatCount } from '#lib/format-count.ts'
import { controlStyle, singleLineHeight } from './control-style.ts'
import { cx } from './cx.ts'

interface Option {
  value: string
  label: string
}

interface Props {
  label: string
  value: string
  /** Label of the value, which may not be among the options. */
  valueLabel: string
  /** The options that match the search. */
  options: readonly Option[]
  /** The number of matches that are not among the options. */
  unlisted?: number
  onSearch: (text: string) => void
  onChange: (value: string) => void
  className?: string
}

/** The option that an arrow key activates; null for other keys. */
function findNextOption(key: string, active: number, count: number): number | null {
  if (key === 'ArrowDown') return Math.min(active + 1, count - 1)
  if (key === 'ArrowUp') return Math.max(active - 1, 0)
  return null
}

interface ListProps extends Pick<Props, 'label' | 'value' | 'options'> {
  id: string
  unlisted: number
  active: number
  onPick: (option: Option) => void
}

function OptionList({ id, label, value, options, unlisted, active, onPick }: ListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView?.({ block: 'nearest' })
  }, [active])
  return (
    <div className="absolute top-full z-20 mt-1 w-full overflow-hidden rounded-card border border-hairline bg-raised shadow-float">
      <div ref={list} id={id} role="listbox" aria-label={label} className="max-h-72 overflow-y-auto p-1">
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field uses aria-activedescendant instead of moving the focus
          <div
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            aria-selected={option.value === value}
            // Keeps the focus in the field.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(option)}
            className={cx(
              'cursor-pointer rounded-control px-3 py-2 text-sm hover:bg-surface-2 pointer-coarse:py-3',
              index === active && 'bg-surface-2 outline-2 outline-ring -outline-offset-2',
              option.value === value && 'font-medium text-link',
            )}
          >
            <span dir="auto" className="wrap-anywhere line-clamp-2 text-start">
              {option.label}
            </span>
          </div>
        ))}
      </div>
      {(options.length === 0 || unlisted > 0) && (
        <p className="border-hairline border-t px-4 py-2 text-muted text-xs">
          {options.length === 0 ? 'No matches.' : `${unlisted.toLocaleString()} more. Type to find them.`}
        </p>
      )}
    </div>
  )
}

/** A combobox: a text field with the matching options below it. */
export function SearchSelect(props: Props) {
  const { label, value, valueLabel, options, unlisted = 0, onSearch, onChange, className } = props
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(-1)
  const isOpen = typed !== null
  function search(text: string | null): void {
    setTyped(text)
    setActive(-1)
    onSearch(text ?? '')
  }
  function pick(option: Option): void {
    search(null)
    onChange(option.value)
  }
  function handleKey(event: KeyboardEvent): void {
    const next = findNextOption(event.key, active, options.length)
    const chosen = options[active]
    if (next !== null) {
      event.preventDefault()
      if (isOpen) setActive(next)
      else search('')
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      if (chosen !== undefined) pick(chosen)
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      search(null)
    }
  }
  return (
    <span className={cx('relative block', className)}>
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-autocomplete="list"
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen && active >= 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        value={typed ?? valueLabel}
        // Shows the current value while the search is empty.
        placeholder={valueLabel}
        onClick={() => !isOpen && search('')}
        onChange={(event) => search(event.target.value)}
        onKeyDown={handleKey}
        onBlur={() => isOpen && search(null)}
        className={cx(controlStyle, singleLineHeight, 'truncate pr-9')}
      />
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
      {isOpen && (
        <OptionList
          id={id}
          label={label}
          value={value}
          options={options}
          unlisted={unlisted}
          active={active}
          onPick={pick}
        />
      )}
      <span role="status" className="sr-only">
        {isOpen ? formatCount(options.length + unlisted, 'option') : ''}
      </span>
    </span>
  )
}
