import type { TrustedBrowser } from '@lyceum/contract/auth'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { BrowserList, Moment } from './BrowserList.tsx'
import { useForgetBrowser } from './mutations.ts'
import { ProfileSection } from './ProfileSection.tsx'
import { trustedBrowsersQuery } from './queries.ts'

/** Where the password alone is enough for a while. */
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
      title="Trusted browsers"
      lead="In these you entered a code. Until the day shown, your password alone is enough there."
      headingRef={heading}
    >
      <BrowserList
        list={list}
        label="Trusted browsers"
        failed="Your trusted browsers could not be loaded."
        empty="There are none. A browser is trusted once you have entered a code in it."
        heading={heading}
        times={({ lastUsedAt, expiresAt }) => (
          <>
            <Moment label="Last used" at={lastUsedAt} />
            <Moment label="Trusted until" at={expiresAt} />
          </>
        )}
        action={(item) => (
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
              ? 'You are signed out here. The next sign-in in this browser asks for a code.'
              : 'Whoever is signed in there with your account is signed out. The next sign-in there asks for a code.'}
          </p>
        </ConfirmDialog>
      )}
    </ProfileSection>
  )
}
