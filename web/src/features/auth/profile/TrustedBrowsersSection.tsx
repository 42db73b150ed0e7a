import type { TrustedBrowser } from '@lyceum/contract/auth'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { BrowserList, LabelledTime } from './BrowserList.tsx'
import { useForgetBrowser } from './mutations.ts'
import { ProfileSection } from './ProfileSection.tsx'
import { trustedBrowsersQuery } from './queries.ts'

/** Browsers that need no one-time code until their trust expires. */
export function TrustedBrowsersSection() {
  const list = useQuery(trustedBrowsersQuery())
  const forget = useForgetBrowser()
  const heading = useRef<HTMLHeadingElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const [chosen, setChosen] = useState<TrustedBrowser | null>(null)
  function close(): void {
    setChosen(null)
  }
  return (
    <ProfileSection
      part="browsers"
      lead="You won’t be asked for a code in these browsers until the date shown."
      headingRef={heading}
    >
      <BrowserList
        list={list}
        label="Trusted browsers"
        errorText="Your trusted browsers could not be loaded."
        emptyText="No trusted browsers yet. A browser becomes trusted once you enter a code in it."
        heading={heading}
        renderTimes={({ lastUsedAt, expiresAt }) => (
          <>
            <LabelledTime label="Last used" at={lastUsedAt} />
            <LabelledTime label="Trusted until" at={expiresAt} />
          </>
        )}
        renderAction={(item) => (
          <Button
            size="small"
            aria-label={`Forget ${item.browser}${item.current ? ', this browser' : ''}`}
            onClick={(event) => {
              trigger.current = event.currentTarget
              setChosen(item)
            }}
          >
            Forget
          </Button>
        )}
      />
      {chosen !== null && (
        <ConfirmDialog
          open
          title="Forget this browser?"
          confirmLabel="Forget"
          busy={forget.isPending}
          onConfirm={() => forget.mutate(chosen, { onSettled: close })}
          onCancel={close}
          finalFocus={() => (trigger.current?.isConnected ? trigger.current : heading.current)}
        >
          <p className="font-medium text-ink">{chosen.browser}</p>
          <p className="mt-2">
            {chosen.current
              ? 'You will be signed out here. Your next sign-in in this browser requires a code.'
              : 'You will be signed out in that browser. The next sign-in there requires a code.'}
          </p>
        </ConfirmDialog>
      )}
    </ProfileSection>
  )
}
