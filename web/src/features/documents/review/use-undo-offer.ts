import type { Document } from '@lyceum/contract/documents'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createStore, useStoreValue } from '#lib/store.ts'
import { texts } from '#texts/admin.ts'
import { actionLifetimeMs, banner, bannerStore, isPageCovered } from '#ui/banner.ts'
import { useUndoReject } from '../use-document-actions.ts'

/** Returns a function that offers to undo a rejection in the screen's banner. */
export function useUndoInBanner(findFocusTarget: () => HTMLElement | null): (rejected: Document) => void {
  const { mutate: undoReject } = useUndoReject()
  return (rejected) =>
    banner.success(texts.documents.reject.done, {
      action: {
        label: 'Undo',
        run: () => undoReject({ document: rejected }),
        returnFocus: findFocusTarget,
      },
    })
}

/** The documents whose rows offer to undo their rejection, as they were rejected, by id. */
const offers = createStore<ReadonlyMap<string, Document>>(new Map())

/** Offers to undo a rejection in the row of the document, which must be there. */
export function offerUndoInRow(rejected: Document): void {
  offers.set(new Map([...offers.get(), [rejected._id, rejected]]))
}

function withdraw(id: string): void {
  if (offers.get().has(id)) offers.set(new Map([...offers.get()].filter(([offeredId]) => offeredId !== id)))
}

/**
 * Offers to undo a rejection in its row for ten seconds, in which no dialog is above it. If the row is removed earlier,
 * the banner offers it.
 */
export function useUndoOffer(document: Document, findFocusTarget: () => HTMLElement | null) {
  const { mutate: undoReject } = useUndoReject()
  const offerInBanner = useUndoInBanner(findFocusTarget)
  const id = document._id
  const rejected = useStoreValue(offers, (all) => all.get(id) ?? null)
  const [isPaused, setIsPaused] = useState(false)
  const isCovered = useStoreValue(bannerStore, isPageCovered)
  const isMounted = useRef(false)
  // A pending document is a newer version, or the rejection was undone. Without the rejected version, an earlier one
  // can be approved.
  const offered = document.status === 'pending' ? null : rejected

  useEffect(() => {
    if (rejected === null || isPaused || isCovered) return
    const timer = setTimeout(() => withdraw(id), actionLifetimeMs)
    return () => clearTimeout(timer)
  }, [id, rejected, isPaused, isCovered])

  const moveToBanner = useEffectEvent(() => {
    if (offered !== null) offerInBanner(offered)
    withdraw(id)
  })
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      moveToBanner()
    }
  }, [])

  return {
    /** The document as it was rejected; null if nothing can be undone. */
    offered,
    offer(subject: Document): void {
      // The user may have left the page before the response.
      if (!isMounted.current) {
        offerInBanner(subject)
        return
      }
      banner.announce(texts.documents.reject.done)
      setIsPaused(false)
      offerUndoInRow(subject)
    },
    run(): void {
      if (offered === null) return
      withdraw(id)
      findFocusTarget()?.focus()
      undoReject({ document: offered })
    },
    withdraw: (): void => withdraw(id),
    setIsPaused,
  }
}

export type UndoOffer = ReturnType<typeof useUndoOffer>
