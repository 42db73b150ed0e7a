import type { DatabaseSync } from 'node:sqlite'
import type { AnalyzedPassage } from './analyze.ts'
import { analyzePassages } from './analyze.ts'
import { numbersPerGeneration } from './index-file.ts'
import type { Language } from './languages.ts'
import { encodePassageTerms } from './passage-terms.ts'
import type { Generation, IndexedPassage, PassageVector } from './port.ts'
import { encodeVector } from './vector-codes.ts'

/** Small, so that concurrent searches wait only briefly. */
const passagesPerSweep = 200

export function encodeScope(channelId: string): string {
  return Buffer.from(channelId).toString('hex')
}

export function createWriter(db: DatabaseSync) {
  const addGeneration = db.prepare(`INSERT INTO generations (id, document_id, channel_id) VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET document_id = excluded.document_id RETURNING number, languages`)
  const setLanguages = db.prepare('UPDATE generations SET languages = ? WHERE number = ?')
  const findPassage = db.prepare('SELECT number, generation FROM passages WHERE id = ?')
  const nextNumber =
    db.prepare(`SELECT coalesce(max(number), ?1 * ${numbersPerGeneration}) + 1 AS number FROM passages
    WHERE number BETWEEN ?1 * ${numbersPerGeneration} AND (?1 + 1) * ${numbersPerGeneration} - 1`)
  const addPassage = db.prepare('INSERT INTO passages (number, id, generation, terms) VALUES (?, ?, ?, ?)')
  const addWords = db.prepare('INSERT INTO words (rowid, scope, title, heading, body) VALUES (?, ?, ?, ?, ?)')
  const addSpace = db.prepare(
    'INSERT INTO spaces (key) VALUES (?) ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING number',
  )
  const findSpace = db.prepare('SELECT number FROM spaces WHERE key = ?')
  const addSigns = db.prepare(
    'INSERT INTO vector_signs (space, dimensions, generation, passage, signs) VALUES (?, ?, ?, ?, ?)',
  )
  const addBytes = db.prepare(
    'INSERT INTO vector_bytes (passage, space, dimensions, bytes) VALUES (?, ?, ?, ?)',
  )
  const inSpace = db.prepare(`SELECT passage, generation FROM vector_signs WHERE space = ?
    LIMIT ${passagesPerSweep}`)
  const orphans = db.prepare(`SELECT number FROM passages
    WHERE generation NOT IN (SELECT number FROM generations) LIMIT ${passagesPerSweep}`)
  const removeSigns =
    db.prepare(`DELETE FROM vector_signs WHERE passage = ?1 AND space = ?2 AND generation = ?3
    AND dimensions = (SELECT dimensions FROM vector_bytes WHERE passage = ?1 AND space = ?2)`)
  const removeBytes = db.prepare('DELETE FROM vector_bytes WHERE passage = ? AND space = ?')
  const spacesOf = db.prepare(`SELECT space, generation FROM vector_bytes
    JOIN passages ON passages.number = passage WHERE passage = ?`)
  const removals = ['DELETE FROM words WHERE rowid = ?', 'DELETE FROM passages WHERE number = ?'].map((sql) =>
    db.prepare(sql),
  )
  const dropGenerations = db.prepare('DELETE FROM generations WHERE id IN (SELECT value FROM json_each(?))')
  const dropChannelGenerations = db.prepare('DELETE FROM generations WHERE channel_id = ?')

  function inTransaction<T>(work: () => T): T {
    db.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      db.exec('COMMIT')
      return result
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }

  function removeVector(space: number, generation: number, number: number): void {
    removeSigns.run(number, space, generation)
    removeBytes.run(number, space)
  }

  function removePassage(number: number): void {
    for (const { space, generation } of spacesOf.all(number))
      removeVector(Number(space), Number(generation), number)
    for (const removal of removals) removal.run(number)
  }

  function replaceVector(space: number, generation: number, number: number, embedding: Float32Array): void {
    removeVector(space, generation, number)
    const vector = encodeVector(embedding)
    if (!vector) return
    addSigns.run(space, vector.dimensions, generation, number, vector.signs)
    addBytes.run(number, space, vector.dimensions, vector.bytes)
  }

  function insert(generation: number, scope: string, analyzed: AnalyzedPassage): void {
    const { passage, title, heading, body } = analyzed
    const known = findPassage.get(passage.id)?.['number']
    if (typeof known === 'number') removePassage(known)
    const number = Number(nextNumber.get(generation)?.['number'])
    addPassage.run(number, passage.id, generation, encodePassageTerms(analyzed))
    addWords.run(number, scope, title.join(' '), heading.join(' '), body.join(' '))
  }

  return {
    add(generation: Generation, passages: readonly IndexedPassage[]): void {
      inTransaction(() => {
        const row = addGeneration.get(generation.id, generation.documentId, generation.channelId)
        const number = Number(row?.['number'])
        const languages = new Set<Language>(JSON.parse(String(row?.['languages'])))
        const scope = encodeScope(generation.channelId)
        for (const analyzed of analyzePassages(passages)) {
          languages.add(analyzed.language)
          insert(number, scope, analyzed)
        }
        setLanguages.run(JSON.stringify([...languages]), number)
      })
    },
    addVectors(spaceKey: string, vectors: readonly PassageVector[]): void {
      inTransaction(() => {
        const space = Number(addSpace.get(spaceKey)?.['number'])
        for (const { passageId, embedding } of vectors) {
          const known = findPassage.get(passageId)
          if (!known) continue
          replaceVector(space, Number(known['generation']), Number(known['number']), embedding)
        }
      })
    },
    /** Removes a batch of vectors of a space. Returns true while there may be more. */
    dropVectors(spaceKey: string): boolean {
      return inTransaction(() => {
        const space = findSpace.get(spaceKey)?.['number']
        if (typeof space !== 'number') return false
        const found = inSpace.all(space)
        for (const row of found) removeVector(space, Number(row['generation']), Number(row['passage']))
        return found.length === passagesPerSweep
      })
    },
    /** The passages are invisible from now on; `sweep` frees the disk space. */
    drop: (ids: readonly string[]): void => {
      dropGenerations.run(JSON.stringify(ids))
    },
    dropChannel: (channelId: string): void => {
      dropChannelGenerations.run(channelId)
    },
    /** Removes a batch of passages whose generation was dropped. Returns true while there may be more. */
    sweep(): boolean {
      return inTransaction(() => {
        const found = orphans.all()
        for (const row of found) removePassage(Number(row['number']))
        return found.length === passagesPerSweep
      })
    },
  }
}
