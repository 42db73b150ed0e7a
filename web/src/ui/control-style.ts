/** Classes of all text fields and selects. */
export const controlStyle =
  'w-full rounded-control border border-control bg-page px-3 text-base text-ink leading-6 transition-colors sm:text-sm ' +
  'placeholder:text-muted hover:border-ink/60 focus-visible:outline-offset-0 aria-invalid:border-danger ' +
  '[&[readonly]]:border-hairline [&[readonly]]:bg-surface-2 disabled:cursor-not-allowed disabled:bg-surface-2 disabled:opacity-60'

/** Height of single-line controls: 40 px, or 44 px on touch screens. */
export const singleLineHeight = 'h-10 pointer-coarse:h-11'
