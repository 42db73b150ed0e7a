import type { Channel } from '@lyceum/contract/channels'
import { type RefObject, useRef, useState } from 'react'
import { useLostFocus } from '#lib/use-lost-focus.ts'

type Subject = Pick<Channel, '_id'>

export function getCardId({ _id }: Subject): string {
  return `channel-${_id}`
}

function findCard(channel: Subject): HTMLElement | null {
  return document.getElementById(getCardId(channel))
}

/** The first control in the card of a channel besides one that is about to disappear; null if no card shows it. */
export function findCardControl(channel: Subject, besides?: HTMLElement): HTMLElement | null {
  const controls = findCard(channel)?.querySelectorAll<HTMLElement>('a, button') ?? []
  return [...controls].find((control) => control !== besides) ?? null
}

/** Shows the card of a channel, if it is on the page, and returns its first control. */
export function showChannelCard(channel: Subject): HTMLElement | null {
  findCard(channel)?.scrollIntoView({ block: 'nearest' })
  return findCardControl(channel)
}

/** The menu has the actions that remove a card. */
function findMenu(card: Element | null | undefined): HTMLElement | null {
  return card?.querySelector<HTMLElement>('[aria-haspopup=menu]') ?? null
}

function findNeighborMenu(card: Element | null): HTMLElement | null {
  const item = card?.closest('li')
  return findMenu(item?.nextElementSibling ?? item?.previousElementSibling)
}

function findMain(): HTMLElement | null {
  return document.getElementById('main')
}

/** When a card is removed while it has the focus, moves the focus to a neighboring card. */
export function useFocusAfterRemoval(card: RefObject<HTMLElement | null>): void {
  useLostFocus(card, (_, removed) => (findNeighborMenu(removed) ?? findMain())?.focus())
}

/** For a dialog that removes the card of its channel: where it moves the focus when it closes. */
export function useFocusAfterDialog(channel: Subject) {
  const [neighbor] = useState(() => findNeighborMenu(findCard(channel)))
  const isCardRemoved = useRef(false)
  return {
    // The dialog asks before the card is gone from the page.
    reportRemoval: (): void => {
      isCardRemoved.current = true
    },
    findTarget: (): HTMLElement | null => {
      if (!isCardRemoved.current) return findMenu(findCard(channel))
      return neighbor?.isConnected ? neighbor : findMain()
    },
  }
}
