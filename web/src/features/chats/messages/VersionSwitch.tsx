import type { ChatMessage } from '@lyceum/contract/chats'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '#ui/IconButton.tsx'

interface Props {
  versions: NonNullable<ChatMessage['versions']>
  /** A reply is running or another version is loading. */
  isLocked: boolean
  onShow: (messageId: string) => void
}

/** Steps through the versions of a message. At either end the button stays focusable but does nothing. */
export function VersionSwitch({ versions: { ids, current }, isLocked, onShow }: Props) {
  function renderButton(label: string, icon: typeof ChevronLeft, to: string | undefined) {
    const isDisabled = isLocked || to === undefined
    return (
      <IconButton
        size="small"
        icon={icon}
        label={label}
        aria-disabled={isDisabled || undefined}
        onClick={() => !isDisabled && onShow(to)}
      />
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    <span role="group" aria-label="Versions" className="flex items-center">
      {renderButton('Earlier version', ChevronLeft, ids[current - 1])}
      <span aria-hidden="true" className="min-w-9 text-center text-muted text-xs tabular-nums">
        {current + 1} / {ids.length}
      </span>
      <span role="status" className="sr-only">
        Version {current + 1} of {ids.length}
      </span>
      {renderButton('Later version', ChevronRight, ids[current + 1])}
    </span>
  )
}
