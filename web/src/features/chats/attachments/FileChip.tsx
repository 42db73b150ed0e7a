import { FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { splitFileName } from './split-file-name.ts'

interface Props {
  name: string
  detail: string
  isFailed?: boolean
  /** Controls after the name. */
  children?: ReactNode
}

/** A name that does not fit is shortened in the middle. */
function FileName({ name }: { name: string }) {
  const { start, end } = splitFileName(name)
  const style = 'font-medium text-ink text-sm leading-5'
  if (end === '')
    return (
      <bdi title={name} className={cx(style, 'truncate')}>
        {name}
      </bdi>
    )
  return (
    <bdi title={name} className={style}>
      <span className="sr-only">{name}</span>
      <span aria-hidden="true" className="flex whitespace-pre">
        <span className="truncate">{start}</span>
        <span className="shrink-0">{end}</span>
      </span>
    </bdi>
  )
}

/** A file with its name and a short detail such as its size. */
function FileLine({ name, detail, isFailed = false }: Omit<Props, 'children'>) {
  return (
    <>
      <FileText
        aria-hidden="true"
        className={cx('size-4 shrink-0', isFailed ? 'text-danger' : 'text-muted')}
        strokeWidth={1.75}
      />
      <span className="flex min-w-0 flex-col text-start">
        <FileName name={name} />
        <span className={cx('text-xs tabular-nums', isFailed ? 'wrap-anywhere text-danger' : 'text-muted')}>
          {detail}
        </span>
      </span>
    </>
  )
}

const chipStyle =
  'flex min-h-11 max-w-full items-center gap-2 rounded-control border border-hairline bg-page px-2.5 py-1'

export function FileChip({ children, ...line }: Props) {
  return (
    <div className={cx(chipStyle, children !== undefined && 'pe-1')}>
      <FileLine {...line} />
      {children}
    </div>
  )
}

interface ButtonProps extends Omit<Props, 'children' | 'isFailed'> {
  onClick: () => void
}

/** A file that opens. */
export function FileButton({ onClick, ...line }: ButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={cx(chipStyle, 'transition-colors hover:border-control')}
    >
      <FileLine {...line} />
    </button>
  )
}
