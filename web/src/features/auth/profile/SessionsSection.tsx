import type { SessionInfo } from '@lyceum/contract/auth'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useSessionActions } from '../SessionProvider.tsx'
import { BrowserList, Moment } from './BrowserList.tsx'
import { useEndOtherSessions, useEndSession } from './mutations.ts'
import { ProfileSection } from './ProfileSection.tsx'
import { sessionsQuery } from './queries.ts'

/** Where one is signed in. */
export function SessionsSection() {
  const session = useSessionActions()
  const list = useQuery(sessionsQuery())
  const end = useEndSession()
  const endOthers = useEndOtherSessions()
  const heading = useRef<HTMLHeadingElement>(null)
  const others = useRef<HTMLButtonElement>(null)
  const [isAsking, setIsAsking] = useState(false)
  const hasOthers = list.data?.some(({ current }) => !current) ?? false

  // The session at hand ends here at once, and at the server when it can be reached.
  function signOut({ _id, current }: SessionInfo): void {
    current ? session.logout() : end.mutate(_id)
  }

  return (
    <ProfileSection
      title="Where you are signed in"
      headingRef={heading}
      action={
        hasOthers && (
          <Button ref={others} size="small" onClick={() => setIsAsking(true)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <BrowserList
        list={list}
        label="Sessions"
        failed="Your sessions could not be loaded."
        empty="You are signed in nowhere."
        heading={heading}
        times={({ createdAt, lastSeenAt }) => (
          <>
            <Moment label="Signed in" at={createdAt} />
            <Moment label="Last seen" at={lastSeenAt} />
          </>
        )}
        action={(item) => (
          <Button
            size="small"
            busy={end.isPending && end.variables === item._id}
            aria-label={`Sign out ${item.browser}${item.current ? ', this browser' : ''}`}
            onClick={() => signOut(item)}
          >
            Sign out
          </Button>
        )}
      />
      {isAsking && (
        <ConfirmDialog
          open
          title="Sign out everywhere else?"
          confirmLabel="Sign out everywhere else"
          busy={endOthers.isPending}
          onConfirm={() => endOthers.mutate(undefined, { onSettled: () => setIsAsking(false) })}
          onCancel={() => setIsAsking(false)}
          finalFocus={() => others.current ?? heading.current}
        >
          All your sessions but this one end at once.
        </ConfirmDialog>
      )}
    </ProfileSection>
  )
}
