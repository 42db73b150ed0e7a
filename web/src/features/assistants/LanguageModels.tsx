import { useQuery } from '@tanstack/react-query'
import { useCan } from '#features/auth/use-can.ts'
import { texts } from '#texts/admin.ts'
import { AssistantsSection } from './AssistantsSection.tsx'
import { ModelMapForm } from './ModelMapForm.tsx'
import { assistantStatusQuery } from './queries.ts'

/** Maps the labels that channels and assistants choose from to real models. */
export function LanguageModels() {
  const canView = useCan('canManageChannels')
  const { data: status, ...query } = useQuery({ ...assistantStatusQuery(), enabled: canView })
  return (
    <AssistantsSection
      title="Language models"
      intro={
        <p>
          Channels and assistants choose one of these labels. Enter your provider’s model for each label, or
          leave empty to keep the current model. Channels keep labels that are no longer offered.
        </p>
      }
      query={query}
      loadingText="Loading the language models…"
      errorText={texts.assistants.loadModelsFailed}
    >
      {status === undefined ? null : <ModelMapForm status={status} />}
    </AssistantsSection>
  )
}
