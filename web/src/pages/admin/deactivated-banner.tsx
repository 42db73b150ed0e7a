import type { UserDetail } from '@lyceum/contract/users'
import type { ReactNode } from 'react'
import { Banner } from '#ui/Banner.tsx'
import { Timestamp } from '#ui/Timestamp.tsx'

interface Props {
  user: UserDetail
  at: string
  /** The button that activates the user, if the viewer has one. */
  children: ReactNode
}

/** Says since when and by whom a user is deactivated, and what that means. */
export function DeactivatedBanner({ user: { deactivatedByName, directoryName }, at, children }: Props) {
  return (
    <Banner tone="warning">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <p className="wrap-anywhere font-medium">
            This user was deactivated on <Timestamp at={at} />
            {deactivatedByName !== undefined && (
              <>
                {' '}
                by <bdi>{deactivatedByName}</bdi>
              </>
            )}
            .
          </p>
          <p className="wrap-anywhere mt-0.5">
            They cannot sign in, and their API keys and connected programs do not work. Their channels, chats
            and documents stay.
            {directoryName !== undefined && (
              <>
                {' '}
                The directory <bdi>{directoryName}</bdi> can change this again.
              </>
            )}
          </p>
        </div>
        {children}
      </div>
    </Banner>
  )
}
