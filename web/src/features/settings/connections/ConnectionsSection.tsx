import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useCan, useIsSystemAdmin } from '#features/auth/use-can.ts'
import { texts } from '#texts/admin.ts'
import { TextLink } from '#ui/TextLink.tsx'
import { connectionsQuery } from '../queries.ts'
import { SettingsSection } from '../SettingsSection.tsx'
import { EmbeddingsForm } from './EmbeddingsForm.tsx'
import { MailForm } from './MailForm.tsx'
import { ModelForm } from './ModelForm.tsx'
import { RerankingForm } from './RerankingForm.tsx'

function ConnectionForms() {
  const { data, ...query } = useQuery(connectionsQuery())
  if (data === undefined)
    return (
      <SettingsSection title="Connections" intro="The models and the mail server." query={query}>
        {null}
      </SettingsSection>
    )
  return (
    <>
      <ModelForm connections={data} />
      <MailForm connections={data} />
      <EmbeddingsForm connections={data} />
      <RerankingForm connections={data} />
    </>
  )
}

/** The servers of models and mail, which only system administrators see and change. */
export function ConnectionsSection() {
  const isSystemAdmin = useIsSystemAdmin()
  const canSeeStatus = useCan('canManageSettings')
  if (isSystemAdmin) return <ConnectionForms />
  return (
    <section aria-labelledby="connections" className="flex flex-col gap-2">
      <h2 id="connections" className="font-semibold text-lg">
        Connections
      </h2>
      <p className="flex items-start gap-2 text-muted text-sm">
        <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>
          {texts.connections.systemAdminOnly}
          {canSeeStatus && (
            <>
              {' '}
              Whether they work is shown under <TextLink to="/admin/settings?section=state">Status</TextLink>.
            </>
          )}
        </span>
      </p>
    </section>
  )
}
