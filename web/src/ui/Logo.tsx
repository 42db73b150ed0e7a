import { product } from '#theme/product.ts'
import { useTheme } from '#theme/theme.ts'
import { cx } from './cx.ts'

interface Props {
  /** Hides the name on narrow screens. */
  compact?: boolean
  className?: string
}

/** The product's logo and name, or only the logo if the operator set one. */
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
        <span
          translate="no"
          className={cx('font-semibold text-base tracking-tight', compact && 'sr-only sm:not-sr-only')}
        >
          {product.name}
        </span>
      )}
    </span>
  )
}
