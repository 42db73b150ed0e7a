import { product } from '#theme/product.ts'
import { useTheme } from '#theme/theme.ts'
import { cx } from './cx.ts'

interface Props {
  /** Hides the name on narrow windows, where the mark alone must do. */
  compact?: boolean
  className?: string
}

/** The product's mark and name, or the operator's logo alone. */
export function Logo({ compact = false, className }: Props) {
  const theme = useTheme()
  return (
    <span className={cx('inline-flex items-center gap-2', className)}>
      <img
        src={theme === 'dark' ? product.logoDark : product.logo}
        alt={product.showsName ? '' : product.name}
        height={28}
        className="h-7 w-auto max-w-40"
      />
      {product.showsName && (
        <span className={cx('font-semibold text-base tracking-tight', compact && 'sr-only sm:not-sr-only')}>
          {product.name}
        </span>
      )}
    </span>
  )
}
