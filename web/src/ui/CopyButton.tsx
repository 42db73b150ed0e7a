import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '#lib/copy-text.ts'
import { IconButton } from './IconButton.tsx'

const confirmationMs = 2_000

interface Props {
  label: string
  /** The visible text. The label must contain it. */
  caption?: string
  isIconOnly?: boolean
}

type Source =
  | { text: () => string; onCopy?: never }
  /** Copies something else. Resolves to false when the browser refuses. */
  | { text?: never; onCopy: () => Promise<boolean> }

/** Copies text, then shows and announces 'Copied' for two seconds. */
export function CopyButton({ text, onCopy, label, caption = 'Copy', isIconOnly = false }: Props & Source) {
  const [message, setMessage] = useState('')
  useEffect(() => {
    if (message === '') return
    const timer = setTimeout(() => setMessage(''), confirmationMs)
    return () => clearTimeout(timer)
  }, [message])
  function handleCopy() {
    const copying = onCopy ? onCopy().catch(() => false) : copyText(text())
    void copying.then((isCopied) => setMessage(isCopied ? 'Copied' : 'Copying failed'))
  }
  const Icon = message === 'Copied' ? Check : Copy
  return (
    <>
      {isIconOnly ? (
        <IconButton size="small" icon={Icon} label={label} tip={message || label} onClick={handleCopy} />
      ) : (
        <button
          type="button"
          aria-label={label}
          onClick={handleCopy}
          className="inline-flex shrink-0 whitespace-nowrap h-8 pointer-coarse:h-11 min-w-8 items-center justify-center gap-1.5 rounded-control px-2 text-xs font-medium text-muted transition-colors hover:bg-surface-2 hover:text-ink"
        >
          <Icon aria-hidden="true" className="size-3.5 shrink-0" />
          <span aria-hidden="true">{message || caption}</span>
        </button>
      )}
      <span role="status" className="sr-only">
        {message}
      </span>
    </>
  )
}
