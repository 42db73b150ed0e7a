import { useId } from 'react'
import { CopyButton } from '#ui/CopyButton.tsx'

interface Snippet {
  title: string
  explanation: string
  code: string
}

function listSnippets(channelId: string): Snippet[] {
  const { origin } = location
  return [
    {
      title: 'Button that opens the chat',
      explanation: 'Paste it before </body>.',
      code: `<script src="${origin}/embed.js" data-channel="${channelId}" async></script>`,
    },
    {
      title: 'Chat as a part of the page',
      explanation: 'Paste it where the chat should appear.',
      code: `<iframe src="${origin}/embed/${channelId}" title="Chat" allow="clipboard-write" width="400" height="640" style="border: 0"></iframe>`,
    },
  ]
}

function SnippetCode({ title, explanation, code }: Snippet) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="flex items-center justify-between gap-3">
        <h3 id={id} className="font-medium text-sm">
          {title}
        </h3>
        <CopyButton text={() => code} label={`Copy the code: ${title}`} />
      </div>
      <p className="text-muted text-xs">{explanation}</p>
      <pre
        dir="ltr"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the code is selected and read with the keyboard
        tabIndex={0}
        className="wrap-anywhere mt-1.5 whitespace-pre-wrap rounded-control bg-surface-2 px-3 py-2 font-mono text-xs"
      >
        {code}
      </pre>
    </section>
  )
}

interface Props {
  channelId: string
  /** Whether a site is saved. Without one, the code shows nothing. */
  hasSites: boolean
}

/** The code to paste into a page. */
export function EmbedCode({ channelId, hasSites }: Props) {
  return (
    <div className="mt-6 flex flex-col gap-4 border-hairline border-t pt-5">
      <h2 className="font-semibold text-base">Code for the page</h2>
      {hasSites ? (
        <>
          {listSnippets(channelId).map((snippet) => (
            <SnippetCode key={snippet.title} {...snippet} />
          ))}
          <p className="text-muted text-xs">
            If the site has a content security policy, it must allow {location.origin} in script-src and
            frame-src.
          </p>
        </>
      ) : (
        <p className="text-muted text-sm">
          Save at least one site first. Then open this again to copy the code.
        </p>
      )}
    </div>
  )
}
