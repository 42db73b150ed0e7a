import {
  type AssistantStatus,
  type MappedLabel,
  type ModelMap,
  mappedLabels,
} from '@lyceum/contract/assistants'
import type { LanguageModel } from '@lyceum/contract/channels'
import { RotateCcw } from 'lucide-react'
import { useId, useRef } from 'react'
import { phoneQuery, useMediaQuery } from '#lib/use-media-query.ts'
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
function trimNote({ label, answeredBy, note }: Model): string {
  return (note ?? '').replace(`Replies for ${label} come from ${answeredBy}.`, '').trim()
}

/** Whether there is nothing to show about the current model of a label. */
function hasNoModel(label: MappedLabel, status: AssistantStatus): boolean {
  return status.models.find((candidate) => candidate.label === label)?.answeredBy == null
}

/** The model that answers while the field is empty. */
function getPlaceholder(label: MappedLabel, { models, modelMap, environmentMap }: AssistantStatus): string {
  const fixed = environmentMap[label]
  if (fixed !== undefined || hasEntry(modelMap, label)) return fixed ?? ''
  return models.find((candidate) => candidate.label === label)?.answeredBy ?? ''
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
  if (model === undefined) return <span className="text-muted">–</span>
  const source = describeSource(model, status)
  const note = trimNote(model)
  return (
    <div className="flex flex-col items-start gap-1 max-sm:pb-1.5">
      <span className="text-xs">
        <span className="text-muted sm:hidden">Current model: </span>
        <code className="wrap-anywhere">{model.answeredBy}</code>
      </span>
      {source !== null && <Badge>{source}</Badge>}
      {note !== '' && <span className="text-muted text-xs">{note}</span>}
    </div>
  )
}

function ModelInput(props: Props & { label: MappedLabel }) {
  const { label, status, form, readOnly, isResetting, onReset } = props
  const noteId = useId()
  // Phones show the current model above the field, where a placeholder would look like a value.
  const isNamedAbove = useMediaQuery(phoneQuery) && status.mode === 'model'
  const input = useRef<HTMLInputElement>(null)
  function reset(): void {
    if (isResetting) return
    // The button disappears.
    if (!readOnly) input.current?.focus()
    onReset(label)
  }
  const error = form.errors[label]
  const note = error ?? (label === '*' ? 'Used for any label not configured above.' : undefined)
  return (
    <div className="sm:w-52 lg:w-64">
      <div className="flex min-h-10 items-center gap-1 pointer-coarse:min-h-11">
        <TextInput
          {...form.field(label)}
          ref={input}
          aria-label={`Model for ${formatLabel(label)}`}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={note === undefined ? undefined : noteId}
          placeholder={isNamedAbove ? undefined : getPlaceholder(label, status)}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          readOnly={readOnly}
          className="min-w-0"
        />
        {hasEntry(status.modelMap, label) && (
          <IconButton
            label={`Reset ${formatLabel(label)}`}
            icon={RotateCcw}
            tooltipAlign="end"
            aria-disabled={readOnly || isResetting}
            onClick={reset}
          />
        )}
      </div>
      {note !== undefined && (
        <p
          id={noteId}
          className={error === undefined ? 'mt-1 text-muted text-xs' : 'mt-1 text-danger text-xs'}
        >
          {note}
        </p>
      )}
    </div>
  )
}

function OfferedCheckbox({ label, offered, onOfferedChange, readOnly }: Props & { label: LanguageModel }) {
  return (
    <label className="inline-flex min-h-10 items-center gap-2 pointer-coarse:min-h-11">
      <span aria-hidden="true" className="text-muted text-xs sm:hidden">
        Offered
      </span>
      <input
        type="checkbox"
        aria-label={`Offer ${label}`}
        checked={offered.includes(label)}
        disabled={readOnly}
        onChange={({ target }) => onOfferedChange(label, target.checked)}
        className="size-4.5 rounded-sm accent-primary-500 pointer-coarse:size-6"
      />
    </label>
  )
}

/** One row per label, and one for all others. */
export function ModelMapTable(props: Props) {
  const currentModel: Column<MappedLabel> = {
    header: 'Current model',
    hidesHeader: true,
    card: 'line',
    isBlank: (label) => hasNoModel(label, props.status),
    cell: (label) => <CurrentModel label={label} status={props.status} />,
  }
  const columns: Column<MappedLabel>[] = [
    {
      header: 'Label',
      isRowHeader: true,
      hidesHeader: true,
      card: 'title',
      cell: (label) =>
        label === '*' ? (
          <span className="max-sm:leading-10 max-sm:pointer-coarse:leading-11">
            All others <code>(*)</code>
          </span>
        ) : (
          <code className="whitespace-nowrap text-xs max-sm:leading-10 max-sm:pointer-coarse:leading-11">
            {label}
          </code>
        ),
    },
    ...(props.status.mode === 'model' ? [currentModel] : []),
    {
      header: 'Model to use',
      hidesHeader: true,
      card: 'line',
      cell: (label) => <ModelInput {...props} label={label} />,
    },
    {
      header: 'Offered',
      hidesHeader: true,
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
