import { useQuery } from '@tanstack/react-query'
import { Settings } from 'lucide-react'
import { messageOf } from '#api/api-error.ts'
import { LanguageModels } from '#features/assistants/LanguageModels.tsx'
import { ReadyMadeAssistants } from '#features/assistants/ReadyMadeAssistants.tsx'
import { EverybodyLimits } from '#features/chats/quotas/EverybodyLimits.tsx'
import { DashboardBackground } from '#features/settings/DashboardBackground.tsx'
import { globalSettingsQuery } from '#features/settings/queries.ts'
import { GlobalTwoFactor } from '#features/two-factor/GlobalTwoFactor.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { NoticeBanner } from '#ui/NoticeBanner.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { messages } from '../../messages/admin.ts'

const Sections = () => {
  const { data, error, refetch } = useQuery(globalSettingsQuery())
  if (data !== undefined) return <GlobalTwoFactor settings={data} />
  if (error === null) {
    return (
      <div role="status">
        <span className="sr-only">Loading the settings…</span>
        <Skeleton className="h-80 rounded-card" />
      </div>
    )
  }
  return (
    <Card flush>
      <EmptyState
        icon={Settings}
        hint={messageOf(error, '')}
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {messages.settings.loadFailed}
      </EmptyState>
    </Card>
  )
}

export const SettingsPage = () => (
  <div className="flex-1 bg-surface">
    <NoticeBanner className="top-28 px-4" />
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-5 px-4 py-6 md:px-6 md:py-8">
      <h1 className="font-semibold text-2xl">Global Configuration</h1>
      <Sections />
      <DashboardBackground />
      <ReadyMadeAssistants />
      <LanguageModels />
      <EverybodyLimits />
    </div>
  </div>
)
