import { storagePrefix } from '#lib/storage-prefix.ts'

const tabs = new BroadcastChannel(`${storagePrefix}.chats`)

interface ChatChange {
  channelId: string
  chatId: string
}

function isChange(value: unknown): value is ChatChange {
  return typeof value === 'object' && value !== null && 'channelId' in value && 'chatId' in value
}

/** Tells this browser's other tabs that a chat has changed. */
export function notifyOtherTabs(change: ChatChange): void {
  tabs.postMessage(change)
}

export function onChangeInOtherTab(listener: (change: ChatChange) => void): () => void {
  function handle({ data }: MessageEvent<unknown>): void {
    if (isChange(data)) listener(data)
  }
  tabs.addEventListener('message', handle)
  return () => tabs.removeEventListener('message', handle)
}
