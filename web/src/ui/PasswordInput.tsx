import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { cx } from './cx.ts'
import { TextInput } from './TextInput.tsx'

interface Props extends Omit<ComponentProps<'input'>, 'type'> {
  /** What the field contains, as the button that reveals it says. */
  secret?: string
}

/** A field for a password or another secret, with a button that reveals it. */
export function PasswordInput({ className, secret = 'password', ...rest }: Props) {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <span className="relative block">
      <TextInput
        {...rest}
        type={isShown ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
        className={cx('pr-11', className)}
      />
      <button
        type="button"
        aria-label={`Show ${secret}`}
        aria-pressed={isShown}
        onClick={() => setIsShown(!isShown)}
        className="absolute inset-y-0 right-0 inline-flex w-10 items-center justify-center rounded-control text-muted hover:text-ink"
      >
        <Icon aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
      </button>
    </span>
  )
}
