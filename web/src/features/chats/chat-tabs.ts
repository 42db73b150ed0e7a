const tabs = new BroadcastChannel('lyceum.chats')

interface ChatChange {
  channelId: string
  chatId: string
}

const isChange = (value: unknown): value is ChatChange =>
  typeof value === 'object' && value !== null && 'channelId' in value && 'chatId' in value

/** Tells this browser's other tabs that a chat is not what they show any more. */
export const tellOtherTabs = (change: ChatChange): void => tabs.postMessage(change)

export const onChangeElsewhere = (listener: (change: ChatChange) => void): (() => void) => {
  const handle = ({ data }: MessageEvent<unknown>): void => {
    if (isChange(data)) listener(data)
  }
  tabs.addEventListener('message', handle)
  return () => tabs.removeEventListener('message', handle)
}
