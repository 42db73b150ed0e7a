interface Props {
  label: string
  isChosen: boolean
  /** Some of what it stands for is chosen. */
  isPartly?: boolean
  disabled?: boolean
  onChange: (isChosen: boolean) => void
}

/** A checkbox for a row or for all of them, with room around it for a finger. */
export function SelectBox({ label, isChosen, isPartly = false, disabled = false, onChange }: Props) {
  return (
    <label className="-m-2 inline-flex size-9 shrink-0 items-center justify-center pointer-coarse:size-11">
      <input
        type="checkbox"
        aria-label={label}
        ref={(box) => {
          if (box !== null) box.indeterminate = isPartly
        }}
        checked={isChosen}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4.5 rounded-sm accent-primary-500"
      />
    </label>
  )
}
