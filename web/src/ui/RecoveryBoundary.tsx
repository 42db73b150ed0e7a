import { Component, type ReactNode } from 'react'
import { log } from '#lib/log.ts'

/** Content that fails again this soon would fail every time. */
const minIntervalMs = 5000

interface Props {
  /** Shown when the content fails repeatedly. */
  fallback: (retry: () => void) => ReactNode
  /** A failure no longer counts once this value changes, for example with another page. */
  resetKey?: string
  children: ReactNode
}

interface State {
  /** 'recovering' lasts until the failed content has left the page. */
  phase: 'shown' | 'recovering' | 'failed'
  /** Increases with each new attempt to show the content. */
  attempt: number
}

/**
 * Renders its children again when they fail. Browser extensions that translate a page or remove parts of it move nodes
 * that belong to React, whose next change of those nodes then throws.
 */
export class RecoveryBoundary extends Component<Props, State> {
  override state: State = { phase: 'shown', attempt: 0 }
  #recoveredAt = Number.NEGATIVE_INFINITY

  static getDerivedStateFromError(): Partial<State> {
    return { phase: 'recovering' }
  }

  override componentDidCatch(error: unknown): void {
    log('A part of the page failed', error)
    const isRepeated = performance.now() - this.#recoveredAt < minIntervalMs
    this.#recoveredAt = performance.now()
    this.setState(({ attempt }) => ({ phase: isRepeated ? 'failed' : 'shown', attempt: attempt + 1 }))
  }

  override componentDidUpdate({ resetKey }: Props): void {
    if (resetKey !== this.props.resetKey && this.state.phase === 'failed') this.retry()
  }

  retry = (): void => {
    this.#recoveredAt = Number.NEGATIVE_INFINITY
    this.setState(({ attempt }) => ({ phase: 'shown', attempt: attempt + 1 }))
  }

  override render(): ReactNode {
    const { phase, attempt } = this.state
    if (phase === 'recovering') return null
    return (
      // Removing this element removes all nodes inside it, wherever an extension has moved them.
      <div key={attempt} className="contents">
        {phase === 'failed' ? this.props.fallback(this.retry) : this.props.children}
      </div>
    )
  }
}
