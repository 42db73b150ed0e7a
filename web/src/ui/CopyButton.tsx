import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '#lib/copy-text.ts'
import { IconButton } from './IconButton.tsx'

const shownFor = 2_000

interface Props {
  text: () => string
  label: string
  /** Without a word beside the icon: in a row of icons. */
  isIconOnly?: boolean
}

/** Copies a text, says 'Copied' for two seconds and announces it. */
export function CopyButton({ text, label, isIconOnly = false }: Props) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (said === '') return
    const timer = setTimeout(() => setSaid(''), shownFor)
    return () => clearTimeout(timer)
  }, [said])
  function handleCopy() {
    void copyText(text()).then((isCopied) => setSaid(isCopied ? 'Copied' : 'Copying was refused'))
  }
  const Icon = said === 'Copied' ? Check : Copy
  return (
    <>
      {isIconOnly ? (
        <IconButton size="small" icon={Icon} label={label} tip={said || label} onClick={handleCopy} />
      ) : (
        <button
          type="button"
          aria-label={label}
          onClick={handleCopy}
          className="inline-flex h-8 pointer-coarse:h-11 min-w-8 items-center justify-center gap-1.5 rounded-control px-2 text-xs font-medium text-muted transition-colors hover:bg-surface-2 hover:text-ink"
        >
          <Icon aria-hidden="true" className="size-3.5" />
          <span aria-hidden="true">{said || 'Copy'}</span>
        </button>
      )}
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  )
}
