import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { memo, type ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { elements } from './elements.tsx'
import { parseBlock } from './parse-block.ts'

/** One piece of a reply. It renders again only when its own text changes. */
export const Block = memo(({ text, prefix }: { text: string; prefix: string }) => renderBlock(text, prefix))

const renderBlock = (text: string, prefix: string): ReactNode => {
  try {
    const root = parseBlock(text, prefix)
    return toJsxRuntime(root, {
      Fragment,
      jsx,
      jsxs,
      components: elements,
      passNode: true,
      ignoreInvalidStyle: true,
    })
  } catch {
    // Nested too deeply for the parser or for us: the words are still worth reading.
    return <p className="break-words whitespace-pre-wrap">{text}</p>
  }
}
