import {
  type AssistantStatus,
  type MappedLabel,
  type ModelMap,
  mappedLabels,
} from '@lyceum/contract/assistants'
import type { LanguageModel } from '@lyceum/contract/channels'
import { RotateCcw } from 'lucide-react'
import { useId } from 'react'
import type { SchemaForm } from '#lib/use-schema-form.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Badge } from '#ui/Status.tsx'
import { type Column, Table } from '#ui/Table.tsx'
import { TextInput } from '#ui/TextInput.tsx'

type Model = AssistantStatus['models'][number]

function hasEntry(map: ModelMap, label: MappedLabel): boolean {
  return map[label] !== undefined
}

/** Where the model of a label was configured; null when it is the label's own model. */
function describeSource({ label, answeredBy }: Model, status: AssistantStatus): string | null {
  const { modelMap, environmentMap } = status
  if (answeredBy === null) return null
  // An entry for the label takes precedence over '*', whether set here or by MODEL_MAP.
  if (hasEntry(modelMap, label)) return 'Set here'
  if (hasEntry(environmentMap, label)) return 'Set by MODEL_MAP'
  if (hasEntry(modelMap, '*')) return 'Set here for all others'
  if (hasEntry(environmentMap, '*')) return 'Set by MODEL_MAP for all others'
  return null
}

/** The server's note without the model and source, which are shown beside it. */
function trimNote({ answeredBy, note }: Model): string {
  return (note ?? '').replace(`Answered by ${answeredBy}, as the model map says.`, '').trim()
}

/** Whether a phone need not show the current model: the label or the field names it, or there is none. */
function isModelRepeated(label: MappedLabel, { models, modelMap }: AssistantStatus): boolean {
  const model = models.find((candidate) => candidate.label === label)
  if (model === undefined) return true
  if (trimNote(model) !== '') return false
  const { answeredBy } = model
  return answeredBy === null || answeredBy === label || answeredBy === modelMap[label]
}

interface Props {
  status: AssistantStatus
  form: Pick<SchemaForm<Record<MappedLabel, string>, ModelMap>, 'errors' | 'field'>
  readOnly: boolean
  isResetting: boolean
  /** The labels that new channels can choose. */
  offered: readonly LanguageModel[]
  onOfferedChange: (label: LanguageModel, isOffered: boolean) => void
  onReset: (label: MappedLabel) => void
}

function formatLabel(label: MappedLabel): string {
  return label === '*' ? 'all others' : label
}

function CurrentModel({ label, status }: { label: MappedLabel; status: AssistantStatus }) {
  const model = status.models.find((candidate) => candidate.label === label)
  if (model === undefined) {
    return <span className="text-muted text-xs">Used for any label not configured above.</span>
  }
  const source = describeSource(model, status)
  const note = trimNote(model)
  return (
    <div className="flex flex-col items-start gap-1">
      {model.answeredBy === null ? (
        <span className="text-muted">Quoted passages</span>
      ) : (
        <code className="wrap-anywhere text-xs">{model.answeredBy}</code>
      )}
      {source !== null && <Badge>{source}</Badge>}
      {note !== '' && <span className="text-muted text-xs">{note}</span>}
    </div>
  )
}

function ModelInput({ label, status, form, readOnly, isResetting, onReset }: Props & { label: MappedLabel }) {
  const errorId = useId()
  const error = form.errors[label]
  const isSet = hasEntry(status.modelMap, label)
  return (
    <div className="sm:w-52 lg:w-64">
      <span aria-hidden="true" className="mb-1 block text-muted text-xs sm:hidden">
        Model to use
      </span>
      <div className="flex items-center gap-1">
        <TextInput
          {...form.field(label)}
          aria-label={`Model for ${formatLabel(label)}`}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : errorId}
          placeholder={status.environmentMap[label] ?? ''}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          readOnly={readOnly}
          className="min-w-0"
        />
        <IconButton
          label={`Reset ${formatLabel(label)}`}
          icon={RotateCcw}
          tooltipAlign="end"
          aria-disabled={!isSet || readOnly || isResetting}
          onClick={() => (readOnly || (isSet && !isResetting)) && onReset(label)}
        />
      </div>
      {error !== undefined && (
        <p id={errorId} className="mt-1 text-danger text-xs">
          {error}
        </p>
      )}
    </div>
  )
}

function OfferedCheckbox({ label, offered, onOfferedChange, readOnly }: Props & { label: LanguageModel }) {
  return (
    <input
      type="checkbox"
      aria-label={`Offer ${label}`}
      checked={offered.includes(label)}
      disabled={readOnly}
      onChange={({ target }) => onOfferedChange(label, target.checked)}
      className="my-2 size-4.5 rounded-sm accent-primary-500 pointer-coarse:size-6"
    />
  )
}

/** One row per label, and one for all others. */
export function ModelMapTable(props: Props) {
  const columns: Column<MappedLabel>[] = [
    {
      header: 'Label',
      isRowHeader: true,
      hidesHeader: true,
      card: 'title',
      cell: (label) =>
        label === '*' ? (
          <span className="max-sm:leading-10">
            All others <code>(*)</code>
          </span>
        ) : (
          <code className="whitespace-nowrap text-xs max-sm:leading-10">{label}</code>
        ),
    },
    {
      header: 'Current model',
      card: 'detail',
      isBlank: (label) => isModelRepeated(label, props.status),
      cell: (label) => <CurrentModel label={label} status={props.status} />,
    },
    {
      header: 'Model to use',
      hidesHeader: true,
      card: 'line',
      cell: (label) => <ModelInput {...props} label={label} />,
    },
    {
      header: 'Offered',
      card: 'label',
      isBlank: (label) => label === '*',
      cell: (label) =>
        label === '*' ? <span className="text-muted">–</span> : <OfferedCheckbox {...props} label={label} />,
    },
  ]
  return (
    <Table
      caption="Language models"
      columns={columns}
      rows={mappedLabels}
      getKey={(label) => label}
      empty={null}
    />
  )
}
