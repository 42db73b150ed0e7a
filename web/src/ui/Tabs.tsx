import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, useDeferredValue, useEffect, useRef } from 'react'

interface Tab<Value extends string> {
  value: Value
  label: ReactNode
}

interface Props<Value extends string> {
  label: string
  tabs: readonly Tab<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** Content of the selected tab. */
  children: ReactNode
}

/** Tabs selected by click or arrow keys. Only the selected panel is rendered. */
export function Tabs<Value extends string>({ label, tabs, value, onChange, children }: Props<Value>) {
  const list = useRef<HTMLDivElement>(null)
  // Base UI measures the tabs when they are first shown. The content is rendered afterwards, because the browser would
  // have to calculate its layout in the same task.
  const isContentShown = useDeferredValue(true, false)
  // In a narrow window, the selected tab may be outside the visible part of the row, or grow out of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each selected tab
  useEffect(() => {
    const row = list.current
    const tab = row?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (!row || !tab) return
    const observer = new ResizeObserver(() => {
      row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
    })
    observer.observe(tab)
    return () => observer.disconnect()
  }, [value])
  return (
    <Base.Root value={value} onValueChange={(next: Value) => onChange(next)}>
      <Base.List
        ref={list}
        aria-label={label}
        activateOnFocus
        className="fading-edges relative [--fade:4rem] flex gap-1 overflow-x-auto border-hairline border-b"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px inline-flex min-h-10 cursor-pointer items-center gap-2 whitespace-nowrap border-transparent border-b-2 px-3 font-medium text-muted text-sm -outline-offset-2 transition-colors hover:text-ink data-[active]:border-link data-[active]:text-ink pointer-coarse:min-h-11"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value} className="pt-5 outline-offset-4">
        {isContentShown && children}
      </Base.Panel>
    </Base.Root>
  )
}
