import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { controlStyle, lineHeight } from './control-style.ts'
import { cx } from './cx.ts'

interface Option {
  value: string
  label: string
}

interface Props {
  label: string
  value: string
  /** What the value is called, also when it is not among the options. */
  valueLabel: string
  /** What matches the search. */
  options: readonly Option[]
  /** How many match that are not among the options. */
  unlisted?: number
  onSearch: (text: string) => void
  onChange: (value: string) => void
  className?: string
}

/** Where an arrow key leads among the options; null for other keys. */
function movedTo(key: string, active: number, count: number): number | null {
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
        {options.map((option, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are taken by the field, which keeps the focus
          // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option instead of giving it the focus
          <div
            key={option.value}
            id={`${id}-${at}`}
            role="option"
            aria-selected={option.value === value}
            // The focus stays in the field.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(option)}
            className={cx(
              'cursor-pointer rounded-control px-3 py-2 text-sm hover:bg-surface-2 pointer-coarse:py-3',
              at === active && 'bg-surface-2 outline-2 outline-ring -outline-offset-2',
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
          {options.length === 0
            ? 'Nothing is called that.'
            : `${unlisted.toLocaleString()} more: type to find them`}
        </p>
      )}
    </div>
  )
}

/** A choice among many: a field that one types into, with what matches below it. */
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
    const next = movedTo(event.key, active, options.length)
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
        // What is chosen stays readable while one types something else.
        placeholder={valueLabel}
        onClick={() => !isOpen && search('')}
        onChange={(event) => search(event.target.value)}
        onKeyDown={handleKey}
        onBlur={() => isOpen && search(null)}
        className={cx(controlStyle, lineHeight, 'truncate pr-9')}
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
        {isOpen ? `${(options.length + unlisted).toLocaleString()} to choose from` : ''}
      </span>
    </span>
  )
}
