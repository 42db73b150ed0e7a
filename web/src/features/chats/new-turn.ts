import type { Turn } from './activity.ts'
import { createLiveText } from './live-text.ts'

export const newTurn = (given: Partial<Turn>): Turn => ({
  phase: 'sending',
  replyId: null,
  branch: null,
  status: null,
  isStopping: false,
  isReconnecting: false,
  live: createLiveText({ text: '', citations: [] }),
  ...given,
})
