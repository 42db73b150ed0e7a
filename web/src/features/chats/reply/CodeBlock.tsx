import { Download } from 'lucide-react'
import { memo, type ReactNode, useEffect, useState } from 'react'
import { nextTask } from '#lib/next-task.ts'
import { CopyButton } from '#ui/CopyButton.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { type CodeToken, getTokenColor } from './code-token.ts'

const highlightDelayMs = 150
/** Longer code is not highlighted, because that would block the page. */
const maxHighlightedLength = 20_000
/** The highlighter needs quadratic time for a long word. */
const longWord = /[\p{L}\p{N}_$]{100}/u

interface CodeBlockProps {
  code: string
  language: string
}

/** Code with its language and a copy button, highlighted once it has stopped growing. */
export const CodeBlock = memo(({ code, language }: CodeBlockProps) => {
  const [highlighted, setHighlighted] = useState<{ code: string; tokens: CodeToken[] } | null>(null)

  useEffect(() => {
    if (language === '' || code.length > maxHighlightedLength || longWord.test(code)) return
    let isCancelled = false
    const timer = setTimeout(() => {
      import('./highlight.ts')
        .then(async ({ highlightCode }) => {
          // The code of the highlighter has just run. A slow phone responds to input before it is used.
          await nextTask()
          const tokens = isCancelled ? null : highlightCode(code, language)
          if (tokens) setHighlighted({ code, tokens })
        })
        // Without the highlighter, or if it fails for deeply nested code, the code stays plain.
        .catch(() => undefined)
    }, highlightDelayMs)
    return () => {
      isCancelled = true
      clearTimeout(timer)
    }
  }, [code, language])

  const title = language === '' ? 'Code' : language
  const suffix = language === '' ? '' : `, ${language}`
  return (
    <div dir="ltr" className="overflow-hidden rounded-card border border-hairline bg-surface">
      <div className="flex h-10 items-center justify-between border-b border-hairline ps-4 pe-1">
        <span className="truncate font-mono text-xs text-muted">{title}</span>
        <div className="flex items-center">
          <IconButton
            size="small"
            icon={Download}
            label={`Download code${suffix}`}
            tip="Download"
            onClick={() => void import('./save-code.ts').then(({ saveCode }) => saveCode(code, language))}
          />
          <CopyButton text={() => code} label={`Copy code${suffix}`} />
        </div>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and a chat would have hundreds of landmarks */}
      <div
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: wide code is scrolled with the keyboard
        tabIndex={0}
        aria-label={`Code${suffix}`}
        className="overflow-x-auto px-4 py-3 -outline-offset-2"
      >
        <pre translate="no" className="font-mono text-sm leading-5.5 [tab-size:4]">
          <code>{highlighted?.code === code ? highlighted.tokens.map(renderToken) : code}</code>
        </pre>
      </div>
    </div>
  )
})

function renderToken(token: CodeToken, index: number): ReactNode {
  if (typeof token === 'string') return token
  const children = token.children.map(renderToken)
  return (
    <span key={index} className={getTokenColor(token.scope)}>
      {children}
    </span>
  )
}
