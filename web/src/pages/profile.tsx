import { ArrowLeft } from 'lucide-react'
import { NameForm } from '#features/auth/profile/NameForm.tsx'
import { PasswordForm } from '#features/auth/profile/PasswordForm.tsx'
import { ProfileSection } from '#features/auth/profile/ProfileSection.tsx'
import { SessionsSection } from '#features/auth/profile/SessionsSection.tsx'
import { TrustedBrowsersSection } from '#features/auth/profile/TrustedBrowsersSection.tsx'
import { useSession } from '#features/auth/SessionProvider.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { Link } from '#ui/Link.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'

export function ProfilePage() {
  const { user } = useSession()
  if (user === null) return null
  return (
    <>
      <ResultBanner />
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-5 px-4 pt-6 pb-24 md:px-6 md:pt-8">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="font-semibold text-2xl">Profile Settings</h1>
          <Link to="/dashboard" className={buttonStyle('secondary')}>
            <ArrowLeft aria-hidden="true" className="size-4" />
            Back to Dashboard
          </Link>
        </div>
        <ProfileSection title="About you">
          <NameForm user={user} />
        </ProfileSection>
        <ProfileSection title="Password">
          <PasswordForm user={user} />
        </ProfileSection>
        <SessionsSection />
        <TrustedBrowsersSection />
      </div>
    </>
  )
}
