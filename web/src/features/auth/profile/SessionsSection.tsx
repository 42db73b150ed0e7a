import type { SessionInfo } from '@lyceum/contract/auth'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useLogout } from '../use-logout.ts'
import { BrowserList, LabelledTime } from './BrowserList.tsx'
import { useEndOtherSessions, useEndSession } from './mutations.ts'
import { ProfileSection } from './ProfileSection.tsx'
import { sessionsQuery } from './queries.ts'

function describeSession({ browser, site, current }: SessionInfo): string {
  const where = site === undefined ? '' : ` on ${new URL(site).host}`
  return `${browser}${where}${current ? ', this browser' : ''}`
}

export function SessionsSection() {
  const logout = useLogout()
  const list = useQuery(sessionsQuery())
  const end = useEndSession()
  const endOthers = useEndOtherSessions()
  const heading = useRef<HTMLHeadingElement>(null)
  const endOthersButton = useRef<HTMLButtonElement>(null)
  const [isConfirming, setIsConfirming] = useState(false)
  const hasOthers = list.data?.some(({ current }) => !current) ?? false

  function signOut({ _id, current }: SessionInfo): void {
    current ? logout() : end.mutate(_id)
  }

  return (
    <ProfileSection
      part="sessions"
      headingRef={heading}
      action={
        hasOthers && (
          <Button ref={endOthersButton} size="small" onClick={() => setIsConfirming(true)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <BrowserList
        list={list}
        label="Sessions"
        errorText="Your sessions could not be loaded."
        emptyText="No active sessions."
        heading={heading}
        renderTimes={({ createdAt, lastSeenAt }) => (
          <>
            <LabelledTime label="Signed in" at={createdAt} />
            <LabelledTime label="Last seen" at={lastSeenAt} />
          </>
        )}
        renderAction={(item) => (
          <Button
            size="small"
            busy={end.isPending && end.variables === item._id}
            aria-label={`Sign out ${describeSession(item)}`}
            onClick={() => signOut(item)}
          >
            Sign out
          </Button>
        )}
      />
      {isConfirming && (
        <ConfirmDialog
          open
          title="Sign out everywhere else?"
          confirmLabel="Sign out everywhere else"
          busy={endOthers.isPending}
          onConfirm={() => endOthers.mutate(undefined, { onSettled: () => setIsConfirming(false) })}
          onCancel={() => setIsConfirming(false)}
          finalFocus={() => endOthersButton.current ?? heading.current}
        >
          This ends all your sessions except this one.
        </ConfirmDialog>
      )}
    </ProfileSection>
  )
}
