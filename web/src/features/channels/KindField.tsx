import { Bot, MessageSquareText } from 'lucide-react'
import { useId } from 'react'
import { cx } from '#ui/cx.ts'

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
    text: 'An assistant that is set up already, named by its id. It takes no documents.',
  },
]

/** Which of the two kinds a channel is. */
export const KindField = ({ useAssistant, onChange }: Props) => {
  const id = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-sm">Kind of channel</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {kinds.map(({ icon: Icon, ...kind }) => {
          const wordsId = `${id}-${kind.useAssistant}`
          const isChosen = kind.useAssistant === useAssistant
          return (
            <label
              key={kind.label}
              className={cx(
                'flex cursor-pointer gap-3 rounded-card border p-3 transition-colors',
                'has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2',
                isChosen ? 'border-link bg-accent-soft' : 'border-control/50 hover:border-control',
              )}
            >
              <input
                type="radio"
                name="kind"
                aria-labelledby={wordsId}
                aria-describedby={`${wordsId}-text`}
                checked={isChosen}
                onChange={() => onChange(kind.useAssistant)}
                className="mt-0.5 size-4 shrink-0 accent-primary-500 outline-none"
              />
              <span className="min-w-0">
                <span className="flex items-center gap-1.5 font-medium text-sm">
                  <span id={wordsId}>{kind.label}</span>
                  <Icon aria-hidden="true" className="size-4 text-muted" strokeWidth={1.75} />
                </span>
                <span id={`${wordsId}-text`} className="mt-0.5 block text-muted text-xs">
                  {kind.text}
                </span>
              </span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
