import type { HistoryDetail } from '@lyceum/contract/chat-history'

export type HistoryMessage = HistoryDetail['messages'][number]

/** What has to be said about a reply besides its text; null for one that is simply an answer. */
export function stateNote({ state, mode }: Pick<HistoryMessage, 'state' | 'mode'>): string | null {
  switch (state) {
    case 'streaming':
      return 'Still being written when this was loaded.'
    case 'stopped':
      return 'Stopped by the user.'
    case 'interrupted':
      return 'Interrupted before it was complete.'
    case 'failed':
      return 'The assistant could not answer.'
    default:
  }
  switch (mode) {
    case 'refusal':
      return 'Not found in the documents of the channel.'
    case 'extractive':
      return 'Quoted from the documents, not written by a language model.'
    default:
      return null
  }
}

export const roleWords: Record<HistoryMessage['role'], string> = {
  user: 'User',
  assistant: 'Assistant',
  system: 'System',
}
