import { ImageUp } from 'lucide-react'

/** Lines at the end of a chat that only this visit shows. */
export const LocalNotes = ({ notes }: { notes: readonly string[] }) =>
  notes.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end
    <li key={index} className="flex items-start justify-center gap-2 text-muted text-sm">
      <ImageUp aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span dir="auto" className="wrap-anywhere min-w-0">
        {text}
      </span>
    </li>
  ))
