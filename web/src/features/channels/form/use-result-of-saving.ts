import type { Channel } from '@lyceum/contract/channels'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { resolveAssistantQuery } from '#features/assistants/queries.ts'
import { useCan, useIsSystemAdmin } from '#features/auth/use-can.ts'
import { assistantFieldPath, uploadPath } from '#lib/channel-paths.ts'
import { modelSettingsPath } from '#lib/settings-paths.ts'
import type { BannerAction } from '#ui/banner.ts'

const noDocumentsText = 'It has no approved documents to answer from yet.'

interface Result {
  warning: string | undefined
  action: BannerAction | undefined
}

/**
 * Returns a function that says what is still wrong with a saved channel and where to mend it. Offers `nextStep` where
 * the user has nothing to mend.
 */
export function useResultOfSaving(nextStep: BannerAction | undefined): (saved: Channel) => Result {
  const client = useQueryClient()
  const canUpload = useCan('canUploadDocuments')
  const isSystemAdmin = useIsSystemAdmin()
  const [, navigate] = useLocation()
  function leadTo(label: string, path: string): BannerAction {
    return { label, run: () => navigate(path), returnFocus: () => null }
  }
  return ({ _id, setupProblem, openaiAssistantId = '', warning: knownWarning }) => {
    // Only the form knows that the assistants server could not be asked about the id.
    const resolved = client.getQueryData(resolveAssistantQuery(openaiAssistantId).queryKey)
    const warning = knownWarning ?? resolved?.warning ?? undefined
    switch (setupProblem) {
      case 'gone':
        return { warning, action: leadTo('Edit the channel', assistantFieldPath(_id)) }
      case 'no-model':
        return { warning, action: isSystemAdmin ? leadTo('Connect a model', modelSettingsPath) : nextStep }
      case 'no-documents':
      case 'no-documents-or-model':
        return {
          warning: warning === undefined ? noDocumentsText : `${warning} ${noDocumentsText}`,
          action: canUpload ? leadTo('Add documents', uploadPath(_id)) : nextStep,
        }
      default:
        return { warning, action: nextStep }
    }
  }
}
