import { type ComponentProps, type MouseEvent, useState } from 'react'
import { Button } from './Button.tsx'
import { cx } from './cx.ts'

interface Props extends Omit<ComponentProps<typeof Button>, 'type' | 'variant'> {
  /** Whether there is something to save. */
  isChanged: boolean
}

const reason = 'Nothing to save'

function ignore(event: MouseEvent): void {
  event.preventDefault()
}

/**
 * Saves a form. While nothing is changed it does nothing, also with the Enter key, but keeps the focus, and says why beside
 * it. Nothing moves at the first change: in the footer of a dialog the reason keeps its place, elsewhere it is behind all
 * buttons, where `UnsavedChanges` follows it.
 */
export function SaveButton({ isChanged, onClick, ...rest }: Props) {
  const [startsUnchanged] = useState(!isChanged)
  return (
    <>
      <Button
        {...rest}
        type="submit"
        variant="primary"
        aria-description={isChanged ? undefined : reason}
        onClick={isChanged ? onClick : ignore}
        aria-disabled={!isChanged || rest['aria-disabled'] === true}
      />
      {(startsUnchanged || !isChanged) && (
        <span
          // The button is described by it.
          aria-hidden="true"
          className={cx(
            'text-muted text-sm in-[footer]:order-first in-[footer]:me-auto in-[footer]:self-center max-sm:w-full',
            isChanged
              ? 'invisible not-in-[footer]:hidden'
              : // As high as `UnsavedChanges`, which takes this place.
                'not-in-[footer]:order-last not-in-[footer]:flex not-in-[footer]:min-h-10 not-in-[footer]:items-center pointer-coarse:not-in-[footer]:min-h-11',
          )}
        >
          {reason}
        </span>
      )}
    </>
  )
}
