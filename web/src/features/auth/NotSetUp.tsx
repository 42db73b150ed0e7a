import { useEffect } from 'react'
import { product } from '#theme/product.ts'
import { CopyButton } from '#ui/CopyButton.tsx'
import { AuthScreen } from './AuthScreen.tsx'

const command = 'npx lyceum admin setup-link'

/** Replaces the forms for visitors, and their focus, while there are no users. */
export function NotSetUp() {
  useEffect(() => {
    const titleOfPage = document.title
    document.title = `Not set up yet · ${product.name}`
    return () => {
      document.title = titleOfPage
    }
  }, [])
  return (
    <AuthScreen
      focusesTitle
      title={`${product.name} is not set up yet`}
      lead="Open the setup link to create the first account, which becomes the system administrator."
    >
      <div className="flex flex-col gap-5 text-sm">
        <section aria-labelledby="find-link">
          <h2 id="find-link" className="font-semibold">
            Find the link
          </h2>
          <p className="mt-1 text-muted">
            The server printed it when it started, after the words “Finish setting up:”. Look in the terminal
            in which you started the server, or in its log.
          </p>
        </section>
        <section aria-labelledby="new-link">
          <h2 id="new-link" className="font-semibold">
            Get a new link
          </h2>
          <p className="mt-1 text-muted">
            A link is valid for an hour. For a new one, restart the server, or run this command in the folder
            of the installation:
          </p>
          <div className="mt-2 flex items-center gap-2 rounded-control border border-hairline bg-surface py-1 ps-3 pe-1">
            <code className="min-w-0 flex-1 overflow-x-auto whitespace-nowrap text-xs">{command}</code>
            <CopyButton isIconOnly label="Copy the command" text={() => command} />
          </div>
        </section>
      </div>
    </AuthScreen>
  )
}
