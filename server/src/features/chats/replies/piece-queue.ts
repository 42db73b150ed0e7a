import type { JournalEntry, ReplyJournal } from './reply-journal.ts'

/** Text of a reply that may be shown as soon as the journal has it. */
export interface Piece {
  entry: JournalEntry
  show: () => void
}

/** Returns the text that has arrived since the last call; null if there is none. */
type TakePiece = () => Piece | null

/**
 * Shows what arrives in one turn of the event loop at its end: one piece for each reply, and one write to the journal for
 * all of them.
 */
export interface PieceQueue {
  /** Shows a piece at the end of this turn. */
  add(take: TakePiece): void
  /** Shows a piece now, before something that follows it. */
  showNow(take: TakePiece): void
}

export function createPieceQueue(journal: ReplyJournal): PieceQueue {
  let queued = new Set<TakePiece>()

  function show(pieces: readonly Piece[]): void {
    if (pieces.length === 0) return
    journal.append(pieces.map(({ entry }) => entry))
    for (const piece of pieces) piece.show()
  }

  function showQueued(): void {
    const takes = queued
    queued = new Set()
    show([...takes].flatMap((take) => take() ?? []))
  }

  return {
    add(take) {
      if (queued.size === 0) setImmediate(showQueued)
      queued.add(take)
    },
    showNow(take) {
      queued.delete(take)
      const piece = take()
      if (piece) show([piece])
    },
  }
}
