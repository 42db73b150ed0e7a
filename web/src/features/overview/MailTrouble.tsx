import { useQuery } from '@tanstack/react-query'
import { useCan } from '#features/auth/use-can.ts'
import { withFailureTime } from '#lib/failure-time.ts'
import { statusPathOf } from '#lib/settings-paths.ts'
import { Banner } from '#ui/Banner.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { overviewQuery } from './queries.ts'

/** Says beside invitations that emails are not being sent. Only users who manage settings receive the state of parts. */
export function MailTrouble() {
  const { data } = useQuery({ ...overviewQuery(), enabled: useCan('canManageSettings') })
  const trouble = data?.parts.find(({ part, failedAt }) => part === 'mail' && failedAt !== undefined)
  if (trouble === undefined) return null
  return (
    <Banner tone="warning">
      {withFailureTime(trouble)} <TextLink to={statusPathOf('mail')}>Show the system status</TextLink>
    </Banner>
  )
}
