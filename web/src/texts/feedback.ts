import type { feedbackReasons } from '@lyceum/contract/feedback'

/** Reasons for a bad rating. In a separate file, so that only the screens that need it load it. */
export const reasonLabels: Readonly<Record<(typeof feedbackReasons)[number], string>> = {
  incorrect: 'Not correct',
  'not-in-sources': 'Not supported by the sources',
  incomplete: 'Incomplete',
  'off-topic': 'Does not answer the question',
  unclear: 'Hard to understand',
  other: 'Something else',
}
