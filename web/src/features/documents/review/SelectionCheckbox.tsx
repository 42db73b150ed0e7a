interface Props {
  /** For a visible label beside the box. */
  id?: string
  label: string
  isChecked: boolean
  /** Only some of the rows that the box controls are selected. */
  isIndeterminate?: boolean
  disabled?: boolean
  onChange: (isChecked: boolean) => void
}

/** A checkbox for one row or for all rows, with a touch-sized target. */
export function SelectionCheckbox({
  id,
  label,
  isChecked,
  isIndeterminate = false,
  disabled = false,
  onChange,
}: Props) {
  return (
    <label className="-m-2 inline-flex size-9 shrink-0 items-center justify-center pointer-coarse:size-11">
      <input
        id={id}
        type="checkbox"
        aria-label={label}
        ref={(box) => {
          if (box !== null) box.indeterminate = isIndeterminate
        }}
        checked={isChecked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4.5 rounded-sm accent-primary-500"
      />
    </label>
  )
}
