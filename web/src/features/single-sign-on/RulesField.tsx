import { type ClaimRuleEntry, claimRule } from '@lyceum/contract/single-sign-on'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { channelsQuery } from '#features/channels/queries.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { CheckList } from '#ui/CheckList.tsx'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { RuleGroups } from './RuleGroups.tsx'

const emptyRule: ClaimRuleEntry = { claim: 'groups', value: '', channelIds: [], groupIds: [], isAdmin: false }

type RuleErrors = Partial<Record<string, string>>

function findErrors(rule: ClaimRuleEntry): RuleErrors {
  const issues = claimRule.safeParse(rule).error?.issues ?? []
  // Of several errors of a field, the first one is shown.
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]).toReversed())
}

function ErrorText({ children }: { children: string }) {
  return (
    <p role="alert" className="flex items-start gap-1.5 text-danger text-sm">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {children}
    </p>
  )
}

type Source = 'claim' | 'attribute'

interface RuleProps {
  source: Source
  number: number
  rule: ClaimRuleEntry
  errors: RuleErrors
  channels: readonly { _id: string; name: string }[]
  onChange: (rule: ClaimRuleEntry) => void
  onRemove: () => void
}

function Rule({ source, number, rule, errors, channels, onChange, onRemove }: RuleProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-4 rounded-card border border-hairline p-4">
      <legend className="px-1 font-medium text-sm">Rule {number}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={`If the ${source}`} error={errors['claim']}>
          {(control) => (
            <TextInput
              {...control}
              name="rules"
              value={rule.claim}
              onChange={({ target }) => onChange({ ...rule, claim: target.value })}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="contains" error={errors['value']}>
          {(control) => (
            <TextInput
              {...control}
              name="rules"
              value={rule.value}
              onChange={({ target }) => onChange({ ...rule, value: target.value })}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
      </div>
      {errors['channelIds'] !== undefined && <ErrorText>{errors['channelIds']}</ErrorText>}
      <CheckList
        label="Give access to these channels"
        searchLabel="Search channels"
        items={channels.map(({ _id, name }) => ({ id: _id, label: name }))}
        chosen={new Set(rule.channelIds)}
        onToggle={(id, isChosen) =>
          onChange({
            ...rule,
            channelIds: isChosen ? [...rule.channelIds, id] : rule.channelIds.filter((other) => other !== id),
          })
        }
        empty="There are no channels yet."
      />
      <RuleGroups groupIds={rule.groupIds ?? []} onChange={(groupIds) => onChange({ ...rule, groupIds })} />
      <Checkbox
        label="Make them an administrator"
        hint="With the permissions of a new administrator."
        checked={rule.isAdmin}
        onChange={({ target }) => onChange({ ...rule, isAdmin: target.checked })}
      />
      <Button size="small" className="self-start" aria-label={`Remove rule ${number}`} onClick={onRemove}>
        Remove rule
      </Button>
    </fieldset>
  )
}

interface Props {
  /** What the issuer or the directory tells about users. */
  source: Source
  value: ClaimRuleEntry[]
  /** Set if a rule is wrong, or if all together are. */
  error: string | undefined
  onChange: (rules: ClaimRuleEntry[]) => void
}

/** What users get while a claim or an attribute of theirs contains a value. */
export function RulesField({ source, value, error, onChange }: Props) {
  const { data: channels = [] } = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  const errors = value.map((rule) => (error === undefined ? {} : findErrors(rule)))
  const isShownAtRule = errors.some((found) => Object.keys(found).length > 0)
  function replace(index: number, rule: ClaimRuleEntry): void {
    onChange(value.map((other, at) => (at === index ? rule : other)))
  }
  return (
    <section aria-labelledby="claim-rules" className="flex min-w-0 flex-col gap-3">
      <div>
        <h3 id="claim-rules" className="font-medium text-sm">
          {source === 'claim' ? 'Access by claims' : 'Access by groups and attributes'}
        </h3>
        <p className="mt-1 text-muted text-xs">
          {source === 'attribute' &&
            'Enter “groups” as the attribute to compare the names and DNs of the user’s groups. '}
          Applied at each sign-in. Access granted by a rule is removed when the rule no longer matches. Access
          you granted yourself stays.
        </p>
      </div>
      {error !== undefined && !isShownAtRule && <ErrorText>{error}</ErrorText>}
      {value.map((rule, index) => (
        <Rule
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity, and are only added at the end
          key={index}
          source={source}
          number={index + 1}
          rule={rule}
          errors={errors[index] ?? {}}
          channels={channels}
          onChange={(next) => replace(index, next)}
          onRemove={() => onChange(value.filter((_, at) => at !== index))}
        />
      ))}
      <Button size="small" className="self-start" onClick={() => onChange([...value, emptyRule])}>
        Add rule
      </Button>
    </section>
  )
}
