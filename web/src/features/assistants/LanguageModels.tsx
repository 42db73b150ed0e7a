import { useQuery } from '@tanstack/react-query'
import { useCan } from '#features/auth/use-can.ts'
import { texts } from '#texts/admin.ts'
import { AssistantsSection } from './AssistantsSection.tsx'
import { ModelMapForm } from './ModelMapForm.tsx'
import { assistantStatusQuery } from './queries.ts'

/** Which model answers for each of the labels that channels and assistants choose from. */
export function LanguageModels() {
  const maySee = useCan('canManageChannels')
  const { data: status, ...query } = useQuery({ ...assistantStatusQuery(), enabled: maySee })
  return (
    <AssistantsSection
      title="Language models"
      intro={
        <p>
          Channels and assistants choose one of these labels. Enter the model that your provider offers for
          it, or leave it empty to keep what answers now. A channel keeps a label that is no longer offered.
        </p>
      }
      query={query}
      loading="Loading the language models…"
      failed={texts.assistants.loadModelsFailed}
    >
      {status === undefined ? null : <ModelMapForm status={status} />}
    </AssistantsSection>
  )
}
