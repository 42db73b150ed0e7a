import { useQuery } from '@tanstack/react-query'
import { useCan } from '#features/auth/use-can.ts'
import { messages } from '../../messages/admin.ts'
import { AssistantsSection } from './AssistantsSection.tsx'
import { ModelMapForm } from './ModelMapForm.tsx'
import { assistantStatusQuery } from './queries.ts'

/** Which model answers for each of the labels that channels and assistants choose from. */
export const LanguageModels = () => {
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
      failed={messages.assistants.loadModelsFailed}
    >
      {status === undefined ? null : <ModelMapForm status={status} />}
    </AssistantsSection>
  )
}
