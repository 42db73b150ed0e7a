import type { CheckUsage } from '@lyceum/contract/analytics'
import { useQuery } from '@tanstack/react-query'
import { assistantStatusQuery } from '#features/assistants/queries.ts'
import { useIsSystemAdmin } from '#features/auth/use-can.ts'
import { formatCount } from '#lib/format-count.ts'
import { modelSettingsPath } from '#lib/settings-paths.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { checkUsageQuery } from '../queries.ts'

const extraCalls =
  'Replies with citations take one or a few more calls of the model, which cost tokens, and appear a little later.'

/** What the check took, for example '12 calls with 3,400 tokens. The model rejected 4 of 52 citations (8 %).' */
function describeUsage(usage: CheckUsage): string {
  const { days, checks, tokens, checkedCitations, removedCitations, uncheckedCitations } = usage
  if (checks === 0) return `${extraCalls} It was not used in the last ${days} days.`
  const share = Math.round((100 * removedCitations) / checkedCitations)
  return [
    `In the last ${days} days: ${formatCount(checks, 'call')} with ${formatCount(tokens, 'token')}.`,
    ...(checkedCitations === 0
      ? []
      : [
          `The model rejected ${removedCitations.toLocaleString()} of ${formatCount(checkedCitations, 'citation')} (${share} %).`,
        ]),
    ...(uncheckedCitations === 0
      ? []
      : [
          `There was no answer about ${uncheckedCitations.toLocaleString()} more, so only words were compared.`,
        ]),
  ].join(' ')
}

/** What the check took in a channel, or will take. */
function UsageNote({ channelId }: { channelId: string }) {
  const { data: usage, isError } = useQuery(checkUsageQuery(channelId))
  if (isError) return 'What the check took could not be loaded.'
  return usage === undefined ? 'Loading what the check took…' : describeUsage(usage)
}

interface Props {
  /** Null for a new channel. */
  channelId: string | null
  checked: boolean
  onChange: (isChecked: boolean) => void
}

/** Lets the channel's model confirm citations, and shows what that costs. */
export function CitationCheckField({ channelId, checked, onChange }: Props) {
  const { data: status, isPending } = useQuery(assistantStatusQuery())
  const isSystemAdmin = useIsSystemAdmin()
  const isModelMissing = status?.mode === 'extractive'
  return (
    <div>
      <Checkbox
        name="checkCitations"
        label="Check citations with the model"
        hint="The channel’s model confirms each citation before it is shown. Citations that it rejects are removed, in strict channels with their sentences."
        checked={checked}
        // A check that is on can be turned off without a model.
        disabled={!checked && (isPending || isModelMissing)}
        onChange={({ target }) => onChange(target.checked)}
      />
      <p className="wrap-anywhere ps-7.5 text-muted text-xs">
        {isModelMissing ? (
          <>
            No model is connected, so only words are compared.{' '}
            {isSystemAdmin ? (
              <TextLink to={modelSettingsPath}>Connect a model</TextLink>
            ) : (
              'Ask a system administrator to connect one.'
            )}
          </>
        ) : channelId === null ? (
          extraCalls
        ) : (
          <UsageNote channelId={channelId} />
        )}
      </p>
    </div>
  )
}
