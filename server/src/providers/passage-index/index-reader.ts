import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { QueryWord } from './analyze.ts'
import type { RankedHit } from './fuse.ts'
import { numbersPerGeneration } from './index-file.ts'
import { encodeScope } from './index-writer.ts'
import type { Language } from './languages.ts'
import { decodePassageTerms } from './passage-terms.ts'
import type { IndexSize, PassageQuery, SearchResult } from './port.ts'
import type { FoundPassage, Rankings, WeightedWord } from './rank-hits.ts'
import {
  candidateLimit,
  fieldWeights,
  fuse,
  groupByWeight,
  listLimit,
  maxScored,
  parseQuery,
  rankByWords,
  selectRarestWords,
  toPassageHits,
} from './rank-hits.ts'
import { encodeQuestion } from './vector-codes.ts'

/** Scope, title, heading, body. */
const columnWeights = `0.0, ${fieldWeights.title}, ${fieldWeights.heading}, ${fieldWeights.body}`

/** Looks up only passages that may be among the best, because an id is stored with the whole passage. */
const selectBest = `SELECT id, score FROM scored CROSS JOIN passages USING (number)
  WHERE score >= coalesce((SELECT score FROM scored ORDER BY score DESC LIMIT 1 OFFSET ${listLimit - 1}), -1)
  ORDER BY score DESC, id LIMIT ${listLimit}`

type Row = Record<string, SQLOutputValue>
function quoteTerm(term: string, isPrefix: boolean): string {
  return `"${term}"${isPrefix ? '*' : ''}`
}

/** Caches term frequencies from FTS5, because queries repeat a few terms. */
function createRarityCache(db: DatabaseSync) {
  const count = db.prepare('SELECT count(*) AS total FROM passages')
  const frequency = db.prepare('SELECT doc FROM vocabulary WHERE term = ?')
  let total: number | null = null
  const known = new Map<string, number>()
  function getFrequency(term: string): number {
    const seen = known.get(term)
    if (seen !== undefined) return seen
    const found = Number(frequency.get(term)?.['doc'] ?? 0)
    if (known.size > 5000) known.clear()
    known.set(term, found)
    return found
  }
  function countPassages(): number {
    total ??= Number(count.get()?.['total'])
    return total
  }
  return {
    clearCache: (): void => {
      total = null
      known.clear()
    },
    frequency: (word: QueryWord): number => Math.max(...word.variants.map(getFrequency)),
    total: countPassages,
  }
}

export function createReader(db: DatabaseSync) {
  const rarity = createRarityCache(db)
  const allowed = db.prepare(`SELECT number, id, languages FROM generations
    WHERE channel_id = ? AND id IN (SELECT value FROM json_each(?))`)
  // If even the rarest word is common, only the first matches are scored, because they hardly differ.
  const matching = `SELECT * FROM (SELECT rowid AS number, -bm25(words, ${columnWeights}) * ? AS score FROM words
      WHERE words MATCH ? AND rowid / ${numbersPerGeneration} IN (SELECT value FROM json_each(?))
      LIMIT ${maxScored})`
  function prepareRanking(groups: number) {
    const all = Array.from({ length: groups }, () => matching).join(' UNION ALL ')
    return db.prepare(`WITH scored AS MATERIALIZED (
        SELECT number, sum(score) AS score FROM (${all}) GROUP BY number)
      ${selectBest}`)
  }
  const [byQuestion, byBothQuestions] = [prepareRanking(1), prepareRanking(2)]
  const byVector = db.prepare(`WITH near AS (
      SELECT space, passage FROM vector_signs
      WHERE space = (SELECT number FROM spaces WHERE key = ?) AND dimensions = ? AND generation IN (SELECT value FROM json_each(?))
      ORDER BY vec_distance_hamming(vec_bit(signs), vec_bit(?)) LIMIT ${candidateLimit}),
    scored AS MATERIALIZED (
      SELECT b.passage AS number, 1 - vec_distance_cosine(vec_int8(b.bytes), vec_int8(?)) AS score
      FROM near JOIN vector_bytes b ON b.passage = near.passage AND b.space = near.space)
    ${selectBest}`)
  const similarities =
    db.prepare(`SELECT p.id AS id, 1 - vec_distance_cosine(vec_int8(bytes), vec_int8(?)) AS score
    FROM passages p JOIN vector_bytes b ON b.passage = p.number
    WHERE b.space = (SELECT number FROM spaces WHERE key = ?) AND b.dimensions = ? AND p.id IN (SELECT value FROM json_each(?))`)
  const details = db.prepare(`SELECT p.id AS id, g.id AS generation, p.terms AS terms
    FROM passages p JOIN generations g ON g.number = p.generation WHERE p.id IN (SELECT value FROM json_each(?))`)
  const page =
    db.prepare(`SELECT id, document_id, (SELECT count(*) FROM passages WHERE generation = g.number) AS passages
    FROM generations g WHERE id > ? ORDER BY id LIMIT ?`)

  const lacking = db.prepare(`SELECT id FROM generations
    WHERE EXISTS (SELECT 1 FROM passages WHERE generation = generations.number
      AND NOT EXISTS (SELECT 1 FROM vector_bytes WHERE passage = passages.number
        AND space = (SELECT number FROM spaces WHERE key = ?)))
    ORDER BY id LIMIT ?`)

  const sizes = db.prepare(`SELECT
    (SELECT count(*) FROM generations) AS generations,
    (SELECT count(*) FROM passages) AS passages,
    (SELECT count(DISTINCT generation) FROM passages WHERE ?1 IS NOT NULL
      AND generation IN (SELECT number FROM generations)
      AND NOT EXISTS (SELECT 1 FROM vector_bytes WHERE passage = passages.number
        AND space = (SELECT number FROM spaces WHERE key = ?1))) AS without_vectors`)

  function toRanked(rows: Row[]): RankedHit[] {
    return rows.map((row) => ({ id: String(row['id']), score: Number(row['score']) }))
  }

  function writeMatch(words: readonly QueryWord[], channelId: string): string {
    const any = words
      .flatMap(({ variants, isPrefix, count }) =>
        // BM25 adds the score of each phrase, also of one that is repeated.
        Array.from({ length: count }, () => variants.map((term) => quoteTerm(term, isPrefix))).flat(),
      )
      .join(' OR ')
    return `(scope : "${encodeScope(channelId)}") AND ({title heading body} : (${any}))`
  }

  function matchWords(words: readonly WeightedWord[], channelId: string, numbers: string): RankedHit[] {
    const groups = groupByWeight(words)
    if (groups.length === 0) return []
    const parameters = groups.flatMap((group) => [
      group[0]?.weight ?? 1,
      writeMatch(group, channelId),
      numbers,
    ])
    return toRanked((groups.length === 1 ? byQuestion : byBothQuestions).all(...parameters))
  }

  function searchWords(words: readonly WeightedWord[], channelId: string, numbers: string): RankedHit[] {
    const rarest = selectRarestWords(words, rarity)
    const found = matchWords(rarest, channelId, numbers)
    return found.length > 0 || rarest.length === words.length ? found : matchWords(words, channelId, numbers)
  }

  function readPassages(hits: readonly RankedHit[]): Map<string, FoundPassage> {
    return new Map(
      details.all(JSON.stringify(hits.map(({ id }) => id))).flatMap((row) => {
        const bytes = row['terms']
        if (!(bytes instanceof Uint8Array)) return []
        const passage: FoundPassage = {
          generation: String(row['generation']),
          terms: decodePassageTerms(bytes),
        }
        return [[String(row['id']), passage] as const]
      }),
    )
  }

  function search(query: PassageQuery): SearchResult {
    const generations = allowed.all(query.channelId, JSON.stringify(query.generations))
    const searched = generations.length
    if (searched === 0 || query.limit <= 0) return { hits: [], searched }
    const numbers = JSON.stringify(generations.map((row) => row['number']))
    const languages = [
      ...new Set(generations.flatMap((row): Language[] => JSON.parse(String(row['languages'])))),
    ]
    const { words, measured } = parseQuery(query, languages)
    const { space, codes: vector } = encodeQuestion(query)
    const lexical = searchWords(words, query.channelId, numbers)
    const rankings: Rankings = {
      lexical,
      byWords: rankByWords(lexical, words, readPassages(lexical), rarity),
      nearest: vector
        ? toRanked(byVector.all(space, vector.dimensions, numbers, vector.signs, vector.bytes))
        : [],
    }
    const best = fuse(rankings, query.limit)
    const wanted = JSON.stringify(best.map(({ id }) => id))
    const hits = toPassageHits(best, rankings, {
      measured,
      found: readPassages(best),
      similarities: vector ? toRanked(similarities.all(vector.bytes, space, vector.dimensions, wanted)) : [],
      rarity,
    })
    return { hits, searched }
  }

  return {
    search,
    clearCache: rarity.clearCache,
    size: (space: string | null): IndexSize => {
      const row = sizes.get(space)
      return {
        generations: Number(row?.['generations']),
        passages: Number(row?.['passages']),
        withoutVectors: Number(row?.['without_vectors']),
      }
    },
    generationsWithoutVectors: (space: string, limit: number) =>
      lacking.all(space, limit).map((row) => String(row['id'])),
    generations: (after: string, limit: number) =>
      page.all(after, limit).map((row) => ({
        id: String(row['id']),
        documentId: String(row['document_id']),
        passages: Number(row['passages']),
      })),
  }
}
