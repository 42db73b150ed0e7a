import { getAvatarColor } from './avatar-colors.ts'
import { cx } from './cx.ts'

/** The first letters of the first and last words. */
export function getInitials(name: string): string {
  const words = name.trim().split(/\s+/u)
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return chosen.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '').join('')
}

interface Props {
  name: string
  /** An id that chooses the color, to tell avatars apart. All others have the same color. */
  colorOf?: string
  className?: string
}

/** Initials in place of an image. Hidden from screen readers, because the name is shown beside it. */
export function Avatar({ name, colorOf, className }: Props) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'inline-flex size-9 shrink-0 select-none items-center justify-center rounded-control font-semibold text-sm',
        colorOf === undefined
          ? 'bg-primary-100 text-primary-700 dark:bg-primary-900 dark:text-primary-200'
          : getAvatarColor(colorOf),
        className,
      )}
    >
      {getInitials(name)}
    </span>
  )
}
