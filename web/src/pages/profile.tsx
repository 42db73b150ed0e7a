import { apiKeyScopes } from '@lyceum/contract/api-keys'
import { ArrowLeft } from 'lucide-react'
import { useRef } from 'react'
import { ApiKeyList } from '#features/api-keys/ApiKeyList.tsx'
import { CreateApiKeyButton } from '#features/api-keys/CreateApiKeyButton.tsx'
import { KeyGuide } from '#features/api-keys/KeyGuide.tsx'
import { NameForm } from '#features/auth/profile/NameForm.tsx'
import { PasswordForm } from '#features/auth/profile/PasswordForm.tsx'
import { ProfileLinks } from '#features/auth/profile/ProfileLinks.tsx'
import { ProfileSection } from '#features/auth/profile/ProfileSection.tsx'
import { SessionsSection } from '#features/auth/profile/SessionsSection.tsx'
import { TrustedBrowsersSection } from '#features/auth/profile/TrustedBrowsersSection.tsx'
import { useUser } from '#features/auth/SessionProvider.tsx'
import { ProgramList } from '#features/connected-programs/ProgramList.tsx'
import { DraftsProvider, useDrafts } from '#lib/form-drafts.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { LeaveDialog } from '#ui/LeaveDialog.tsx'
import { Link } from '#ui/Link.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'

const scope = 'profile'

function ApiKeysSection() {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <ProfileSection
      part="keys"
      lead="With an API key, your own programs and AI agents use your channels as you, without administrator permissions."
      headingRef={heading}
      action={<CreateApiKeyButton owner={null} />}
    >
      <ApiKeyList owner={null} revokeRefusal={null} heading={heading} />
      <details className="mt-4 text-sm">
        <summary className="w-fit cursor-pointer rounded-control py-1.5 text-muted pointer-coarse:min-h-11 pointer-coarse:py-3">
          Using your key
        </summary>
        <div className="mt-2">
          <KeyGuide scopes={apiKeyScopes} />
        </div>
      </details>
    </ProfileSection>
  )
}

function ConnectedProgramsSection() {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <ProfileSection
      part="programs"
      lead="AI agents that you have connected use your channels as you, without administrator permissions."
      headingRef={heading}
    >
      <ProgramList owner={null} disconnectRefusal={null} heading={heading} />
    </ProfileSection>
  )
}

export function ProfilePage() {
  const user = useUser()
  const drafts = useDrafts()
  if (user === null) return null
  return (
    <>
      <ResultBanner />
      <LeaveDialog
        isChanged={drafts.isChanged(scope)}
        unsavedText="Your profile changes have not been saved."
      />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 pt-6 pb-24 md:px-6 md:pt-8">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="font-semibold text-2xl">Profile Settings</h1>
          <Link to="/dashboard" className={buttonStyle('secondary')}>
            <ArrowLeft aria-hidden="true" className="size-4" />
            Back to Dashboard
          </Link>
        </div>
        <div className="grid gap-5 lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-8">
          <ProfileLinks />
          <div className="flex min-w-0 flex-col gap-5">
            <DraftsProvider drafts={drafts} scope={scope}>
              <ProfileSection part="about">
                <NameForm user={user} />
              </ProfileSection>
              <ProfileSection part="password">
                {user.usesSingleSignOn === true ? (
                  <p className="text-muted text-sm">
                    You sign in with single sign-on and have no password here.
                  </p>
                ) : (
                  <PasswordForm user={user} />
                )}
              </ProfileSection>
            </DraftsProvider>
            <SessionsSection />
            <TrustedBrowsersSection />
            <ConnectedProgramsSection />
            <ApiKeysSection />
          </div>
        </div>
      </div>
    </>
  )
}
