import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'

/** The values of `data-theme` in embed-script.ts. */
const themeLabels = { auto: 'Same as the user’s system', light: 'Light', dark: 'Dark' }
type Theme = keyof typeof themeLabels

function isTheme(value: string): value is Theme {
  return value in themeLabels
}

interface Snippet {
  title: string
  explanation: string
  code: string
  options?: ReactNode
}

function Attribute({ children }: { children: string }) {
  return (
    <code translate="no" className="font-mono text-ink">
      {children}
    </code>
  )
}

function listSnippets(channelId: string, theme: Theme): Snippet[] {
  const { origin } = location
  const attribute = theme === 'auto' ? '' : ` data-theme="${theme}"`
  const query = theme === 'auto' ? '' : `?theme=${theme}`
  return [
    {
      title: 'Button that opens the chat',
      explanation: 'Paste it before </body>.',
      code: `<script src="${origin}/embed.js" data-channel="${channelId}"${attribute} async></script>`,
      options: (
        <>
          You can add <Attribute>data-label="Ask us"</Attribute> for a text on the button, and{' '}
          <Attribute>data-position="left"</Attribute> or <Attribute>"right"</Attribute> for its side.
        </>
      ),
    },
    {
      title: 'Chat as a part of the page',
      explanation: 'Paste it where the chat should appear.',
      code: `<iframe src="${origin}/embed/${channelId}${query}" title="Chat" allow="clipboard-write" style="border: 0; width: 100%; max-width: 400px; height: 640px"></iframe>`,
    },
  ]
}

function SnippetCode({ title, explanation, code, options }: Snippet) {
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
      {options !== undefined && <p className="mt-1.5 text-muted text-xs">{options}</p>}
    </section>
  )
}

interface Props {
  channelId: string
  /** Whether a site is saved. Without one, the code shows nothing. */
  hasSites: boolean
  /** The first site was saved just now. */
  isNew: boolean
}

/** The code to paste into a page. */
export function EmbedCode({ channelId, hasSites, isNew }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [theme, setTheme] = useState<Theme>('auto')
  useEffect(() => {
    if (isNew) heading.current?.focus()
  }, [isNew])
  return (
    <div className="mt-6 flex flex-col gap-4 border-hairline border-t pt-5">
      <h2 ref={heading} tabIndex={-1} className="font-semibold text-base outline-none">
        Code for the page
      </h2>
      {isNew && <Banner tone="success">{texts.embedding.firstSaved}</Banner>}
      {hasSites ? (
        <>
          {listSnippets(channelId, theme).map((snippet) => (
            <SnippetCode key={snippet.title} {...snippet} />
          ))}
          <Field label="Colors of the chat" hint="This changes the code above.">
            {(control) => (
              <Select
                {...control}
                value={theme}
                onChange={({ target }) => isTheme(target.value) && setTheme(target.value)}
              >
                {Object.entries(themeLabels).map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <p className="text-muted text-xs">
            If the site has a content security policy, it must allow {location.origin} in script-src and
            frame-src.
          </p>
        </>
      ) : (
        <p className="text-muted text-sm">Save at least one site first. Then the code appears here.</p>
      )}
    </div>
  )
}
