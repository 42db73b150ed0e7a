import { useEffect, useState } from 'react'
import { whenIdle } from '#lib/when-idle.ts'
import type { ReplyGroup } from './growing-reply.ts'

/** Units of parse-limits.ts that are mounted at once: 0.1 to 0.3 s of work for a hostile reply. */
const stepCost = 2_000
const idleTimeoutMs = 100

/**
 * The groups of a reply to show now. A long one appears in steps, so that the page can respond in between. The end of a
 * growing reply appears immediately.
 */
export function useShownGroups(groups: readonly ReplyGroup[], atOnce: boolean): readonly ReplyGroup[] {
  const [allowance, setAllowance] = useState(atOnce ? Number.POSITIVE_INFINITY : stepCost)
  let cost = 0
  const hidden = groups.findIndex((group, index) => {
    cost += group.reduce((sum, block) => sum + block.cost, 0)
    return index > 0 && cost > allowance
  })
  const isComplete = hidden < 0
  useEffect(() => {
    if (!isComplete) return whenIdle(() => setAllowance((known) => known + stepCost), idleTimeoutMs)
    // Leaves room for the next part of a growing reply.
    if (cost > allowance - stepCost / 2) setAllowance(cost + stepCost)
    return undefined
  }, [isComplete, cost, allowance])
  return isComplete ? groups : groups.slice(0, hidden)
}
