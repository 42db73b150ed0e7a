import { Bot, MessageSquareText } from 'lucide-react'
import { RadioCard } from '#ui/RadioCard.tsx'

interface Props {
  useAssistant: boolean
  onChange: (useAssistant: boolean) => void
}

const kinds = [
  {
    useAssistant: false,
    icon: MessageSquareText,
    label: 'Custom channel',
    text: 'Your own system prompt and model, grounded in documents you approve.',
  },
  {
    useAssistant: true,
    icon: Bot,
    label: 'Ready-made assistant',
    text: 'Use an existing assistant by its ID. Documents are not supported.',
  },
]

export function ChannelTypeField({ useAssistant, onChange }: Props) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-sm">Channel type</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {kinds.map(({ icon: Icon, label, text, ...kind }) => (
          <RadioCard
            key={label}
            name="kind"
            label={label}
            icon={<Icon aria-hidden="true" className="size-4 text-muted" strokeWidth={1.75} />}
            text={text}
            isChosen={kind.useAssistant === useAssistant}
            onChoose={() => onChange(kind.useAssistant)}
          />
        ))}
      </div>
    </fieldset>
  )
}
