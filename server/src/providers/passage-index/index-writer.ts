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
  const addSigns = db.prepare(
    'INSERT INTO vector_signs (dimensions, generation, passage, signs) VALUES (?, ?, ?, ?)',
  )
  const addBytes = db.prepare('INSERT INTO vector_bytes (passage, dimensions, bytes) VALUES (?, ?, ?)')
  const orphans = db.prepare(`SELECT number FROM passages
    WHERE generation NOT IN (SELECT number FROM generations) LIMIT ${passagesPerSweep}`)
  const vectorRemovals = [
    `DELETE FROM vector_signs WHERE passage = ?1
      AND generation = (SELECT generation FROM passages WHERE number = ?1)
      AND dimensions = (SELECT dimensions FROM vector_bytes WHERE passage = ?1)`,
    'DELETE FROM vector_bytes WHERE passage = ?',
  ].map((sql) => db.prepare(sql))
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

  function removePassage(number: number): void {
    for (const removal of [...vectorRemovals, ...removals]) removal.run(number)
  }

  function insertVector(generation: number, number: number, embedding: Float32Array): void {
    const vector = encodeVector(embedding)
    if (!vector) return
    addSigns.run(vector.dimensions, generation, number, vector.signs)
    addBytes.run(number, vector.dimensions, vector.bytes)
  }

  function insert(generation: number, scope: string, analyzed: AnalyzedPassage): void {
    const { passage, title, heading, body } = analyzed
    const known = findPassage.get(passage.id)?.['number']
    if (typeof known === 'number') removePassage(known)
    const number = Number(nextNumber.get(generation)?.['number'])
    addPassage.run(number, passage.id, generation, encodePassageTerms(analyzed))
    addWords.run(number, scope, title.join(' '), heading.join(' '), body.join(' '))
    if (passage.embedding) insertVector(generation, number, passage.embedding)
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
    addVectors(vectors: readonly PassageVector[]): void {
      inTransaction(() => {
        for (const { passageId, embedding } of vectors) {
          const known = findPassage.get(passageId)
          if (!known) continue
          const number = Number(known['number'])
          for (const removal of vectorRemovals) removal.run(number)
          insertVector(Number(known['generation']), number, embedding)
        }
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
