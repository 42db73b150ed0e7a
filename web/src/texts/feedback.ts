import type { feedbackReasons } from '@lyceum/contract/chats'

/** Why a reply is called bad; fetched with the dialog that asks, or with a screen that counts them. */
export const reasonLabels: Readonly<Record<(typeof feedbackReasons)[number], string>> = {
  incorrect: 'It is not correct',
  'not-in-sources': 'The sources do not say so',
  incomplete: 'Something is missing',
  'off-topic': 'It does not answer the question',
  unclear: 'It is hard to understand',
  other: 'Something else',
}
