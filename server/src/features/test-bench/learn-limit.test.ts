import { describe, expect, it } from 'vitest'
import { learnMinMatch } from './learn-limit.ts'

const far = [0.1, 0.15, 0.2, 0.25, 0.3]
const near = [0.5, 0.6, 0.7, 0.8, 0.9]

describe('the limit learned from test questions', () => {
  it('needs five questions of each kind', () => {
    expect(learnMinMatch({ answerable: near.slice(1), unanswerable: far })).toBeNull()
    expect(learnMinMatch({ answerable: near, unanswerable: far.slice(1) })).toBeNull()
  })

  it('is not learned if no unanswerable question matches less than the answerable ones', () => {
    expect(learnMinMatch({ answerable: far, unanswerable: near })).toBeNull()
  })

  it('lies in the middle between both kinds', () => {
    expect(learnMinMatch({ answerable: near, unanswerable: far })).toBeCloseTo(0.4)
  })

  it('refuses no answerable question for an unanswerable one that matches better', () => {
    expect(learnMinMatch({ answerable: near, unanswerable: [...far, 0.95] })).toBeCloseTo(0.4)
  })

  it('gives up one answerable question in twenty', () => {
    const twenty = [0.05, ...Array.from({ length: 19 }, (_, n) => 0.5 + n / 100)]
    expect(learnMinMatch({ answerable: twenty, unanswerable: far })).toBeCloseTo(0.4)
    expect(learnMinMatch({ answerable: twenty.slice(0, 19), unanswerable: far })).toBeNull()
  })

  it('stays within 0.1 and 0.6', () => {
    const [low, high] = [Array(5).fill(0.05), Array(5).fill(0.99)]
    expect(learnMinMatch({ answerable: high, unanswerable: Array(5).fill(0.98) })).toBe(0.6)
    expect(learnMinMatch({ answerable: low, unanswerable: Array(5).fill(0.01) })).toBe(0.1)
  })
})
