import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#ui/IconButton.tsx'

/** The title of the chat with its buttons. */
export function EmbedBar({ title, children }: { title: string; children: ReactNode }) {
  return (
    <header className="flex min-h-13 items-center gap-1 border-hairline border-b bg-page py-1.5 ps-4 pe-1.5">
      <h1
        title={title}
        className="wrap-anywhere line-clamp-2 min-w-0 flex-1 font-semibold text-base leading-5"
      >
        <bdi>{title}</bdi>
      </h1>
      {children}
    </header>
  )
}

export function CloseButton({ onClose }: { onClose: () => void }) {
  return <IconButton icon={X} label="Close the chat" tip="Close" tooltipAlign="end" onClick={onClose} />
}
