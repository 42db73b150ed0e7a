import { type ReactNode, useEffect, useRef } from 'react'
import { Logo } from '#ui/Logo.tsx'
import { ThemeToggle } from '#ui/ThemeToggle.tsx'

interface Props {
  /** Null while it is unknown. */
  title: ReactNode
  lead?: ReactNode
  children: ReactNode
  footer?: ReactNode
  /** Moves the focus to the title, which took the place of what had the focus. */
  focusesTitle?: boolean
}

/** The layout of the sign-in pages: one column with one card. */
export function AuthScreen({ title, lead, children, footer, focusesTitle = false }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (focusesTitle) heading.current?.focus()
  }, [focusesTitle])
  return (
    <div className="flex min-h-dvh flex-col bg-surface">
      <div className="flex justify-end p-3">
        <ThemeToggle />
      </div>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-md flex-1 flex-col px-4 pt-2 pb-12 sm:pt-[7vh]"
      >
        <Logo className="mb-4 self-center sm:mb-6" />
        <div className="rounded-dialog border border-hairline bg-raised p-6 sm:p-8">
          {title !== null && (
            <h1
              ref={heading}
              tabIndex={focusesTitle ? -1 : undefined}
              className="text-balance font-semibold text-2xl outline-none"
            >
              {title}
            </h1>
          )}
          {lead && <p className="mt-1.5 text-muted text-sm">{lead}</p>}
          <div className="mt-6">{children}</div>
        </div>
        {footer && <div className="mt-6 flex flex-col items-center gap-3 text-center text-sm">{footer}</div>}
      </main>
    </div>
  )
}
