import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { QueryWord } from './analyze.ts'
import { hasTerm, parseQueryWords } from './analyze.ts'
import type { RankedHit } from './fuse.ts'
import { fuseRankings } from './fuse.ts'
import { numbersPerGeneration } from './index-file.ts'
import { encodeScope } from './index-writer.ts'
import type { Language } from './languages.ts'
import type { IndexSize, PassageHit, PassageQuery } from './port.ts'
import { encodeVector } from './vector-codes.ts'

const listLimit = 50
/** How many candidates of the fast first pass are then ranked exactly. */
const candidateLimit = 300
const contextWeight = 0.3
/** Scope, title, heading, body. The title is the same for all passages of a document, so it weighs least. */
const columnWeights = '0.0, 0.5, 1.25, 1.0'
/** Limit on matches to score per query. Beyond it the most common words of the question are ignored. */
const maxScored = 8000

type Row = Record<string, SQLOutputValue>
const noTerms = new Uint32Array()
function quoteTerm(term: string, isPrefix: boolean): string {
  return `"${term}"${isPrefix ? '*' : ''}`
}

/** Maps each passage number to its rank, starting at 1. */
function createRanks(hits: readonly RankedHit[]): Map<number, number> {
  return new Map(hits.map(({ number }, index) => [number, index + 1]))
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
    weight: (word: QueryWord): number => {
      const matching = Math.max(...word.variants.map(getFrequency))
      return Math.log(1 + (Math.max(countPassages(), matching) - matching + 0.5) / (matching + 0.5))
    },
  }
}

export function createReader(db: DatabaseSync) {
  const rarity = createRarityCache(db)
  const allowed = db.prepare(`SELECT number, id, languages FROM generations
    WHERE channel_id = ? AND id IN (SELECT value FROM json_each(?))`)
  // If even the rarest word is common, only the first matches are scored, because they hardly differ.
  const byWords = db.prepare(`SELECT number, score FROM (
      SELECT rowid AS number, -bm25(words, ${columnWeights}) AS score FROM words
      WHERE words MATCH ? AND rowid / ${numbersPerGeneration} IN (SELECT value FROM json_each(?))
      LIMIT ${maxScored})
    ORDER BY score DESC, number LIMIT ${listLimit}`)
  const byVector = db.prepare(`WITH near AS (
      SELECT passage FROM vector_signs
      WHERE dimensions = ? AND generation IN (SELECT value FROM json_each(?))
      ORDER BY vec_distance_hamming(vec_bit(signs), vec_bit(?)) LIMIT ${candidateLimit})
    SELECT b.passage AS number, 1 - vec_distance_cosine(vec_int8(b.bytes), vec_int8(?)) AS score
    FROM near JOIN vector_bytes b ON b.passage = near.passage ORDER BY score DESC, number LIMIT ${listLimit}`)
  const similarities =
    db.prepare(`SELECT passage AS number, 1 - vec_distance_cosine(vec_int8(bytes), vec_int8(?)) AS score
    FROM vector_bytes WHERE dimensions = ? AND passage IN (SELECT value FROM json_each(?))`)
  const details = db.prepare(`SELECT p.number AS number, p.id AS id, g.id AS generation, p.terms AS terms
    FROM passages p JOIN generations g ON g.number = p.generation WHERE p.number IN (SELECT value FROM json_each(?))`)
  const page =
    db.prepare(`SELECT id, document_id, (SELECT count(*) FROM passages WHERE generation = g.number) AS passages
    FROM generations g WHERE id > ? ORDER BY id LIMIT ?`)

  // Checks only the first passage of each generation, because a generation has embeddings for all passages or for none.
  const sizes = db.prepare(`SELECT
    (SELECT count(*) FROM generations) AS generations,
    (SELECT count(*) FROM passages) AS passages,
    (SELECT count(*) FROM (SELECT min(number) AS first FROM passages GROUP BY generation)
      WHERE NOT EXISTS (SELECT 1 FROM vector_bytes WHERE passage = first)) AS without_vectors`)

  function toRanked(rows: Row[]): RankedHit[] {
    return rows.map((row) => ({ number: Number(row['number']), score: Number(row['score']) }))
  }

  function matchWords(words: readonly QueryWord[], channelId: string, numbers: string): RankedHit[] {
    if (words.length === 0) return []
    const any = words
      .flatMap((word) => word.variants.map((term) => quoteTerm(term, word.isPrefix)))
      .join(' OR ')
    return toRanked(
      byWords.all(`(scope : "${encodeScope(channelId)}") AND ({title heading body} : (${any}))`, numbers),
    )
  }

  /** Selects the rarest words within the limit. Common words would hardly change the order. */
  function selectRarestWords(words: readonly QueryWord[]): QueryWord[] {
    let matches = 0
    return words
      .toSorted((a, b) => rarity.frequency(a) - rarity.frequency(b))
      .filter((word) => {
        matches += rarity.frequency(word)
        return matches <= maxScored
      })
  }

  function searchWords(words: readonly QueryWord[], channelId: string, numbers: string): RankedHit[] {
    const rarest = selectRarestWords(words)
    const found = matchWords(rarest, channelId, numbers)
    return found.length > 0 || rarest.length === words.length ? found : matchWords(words, channelId, numbers)
  }

  function computeCoverage(words: readonly QueryWord[], terms: Uint32Array): number {
    let [found, total] = [0, 0]
    for (const word of words) {
      const weight = rarity.weight(word)
      total += weight
      if (word.variants.some((term) => hasTerm(terms, term))) found += weight
    }
    return total === 0 ? 0 : found / total
  }

  function readPassages(hits: readonly RankedHit[]): Map<number, { row: Row; terms: Uint32Array }> {
    return new Map(
      details.all(JSON.stringify(hits.map(({ number }) => number))).flatMap((row) => {
        const terms = row['terms']
        if (!(terms instanceof Uint8Array)) return []
        return [[Number(row['number']), { row, terms: new Uint32Array(terms.slice().buffer) }] as const]
      }),
    )
  }

  /** Re-ranks BM25 hits by coverage: passages with more of the question's words beat passages that repeat one. */
  function rankByCoverage(hits: readonly RankedHit[], words: readonly QueryWord[]): RankedHit[] {
    const highest = hits[0]?.score || 1
    const found = readPassages(hits)
    return hits
      .map((hit) => ({
        hit,
        rank: hit.score / highest + computeCoverage(words, found.get(hit.number)?.terms ?? noTerms),
      }))
      .sort((a, b) => b.rank - a.rank || a.hit.number - b.hit.number)
      .map(({ hit }) => hit)
  }

  function search(query: PassageQuery): PassageHit[] {
    const generations = allowed.all(query.channelId, JSON.stringify(query.generations))
    if (generations.length === 0 || query.limit <= 0) return []
    const numbers = JSON.stringify(generations.map((row) => row['number']))
    const languages = [
      ...new Set(generations.flatMap((row): Language[] => JSON.parse(String(row['languages'])))),
    ]
    const words = parseQueryWords(query.text, languages)
    const known = new Set(words.flatMap((word) => word.variants))
    const context = query.context
      ? parseQueryWords(query.context, languages).filter(
          (word) => !word.variants.some((term) => known.has(term)),
        )
      : []
    const vector = query.embedding && encodeVector(query.embedding)
    const lexical = searchWords(words, query.channelId, numbers)
    const byCoverage = rankByCoverage(lexical, words)
    const nearest = vector
      ? toRanked(byVector.all(vector.dimensions, numbers, vector.signs, vector.bytes))
      : []
    const best = fuseRankings(
      [
        { weight: 1, hits: byCoverage },
        { weight: 1, hits: nearest },
        { weight: contextWeight, hits: searchWords(context, query.channelId, numbers) },
      ],
      query.limit,
    )
    const wanted = JSON.stringify(best.map((hit) => hit.number))
    const found = readPassages(best)
    const cosines = new Map(
      vector
        ? toRanked(similarities.all(vector.bytes, vector.dimensions, wanted)).map((hit) => [
            hit.number,
            hit.score,
          ])
        : [],
    )
    const wordsRanks = createRanks(byCoverage)
    const meaningRanks = createRanks(nearest)
    const bm25 = new Map(lexical.map((hit) => [hit.number, hit.score]))
    return best.flatMap(({ number, score }): PassageHit[] => {
      const passage = found.get(number)
      if (!passage) return []
      return [
        {
          passageId: String(passage.row['id']),
          generation: String(passage.row['generation']),
          score,
          lexical: bm25.get(number) ?? null,
          similarity: cosines.get(number) ?? null,
          coverage: computeCoverage(words, passage.terms),
          wordsRank: wordsRanks.get(number) ?? null,
          meaningRank: meaningRanks.get(number) ?? null,
        },
      ]
    })
  }

  return {
    search,
    clearCache: rarity.clearCache,
    size: (): IndexSize => {
      const row = sizes.get()
      return {
        generations: Number(row?.['generations']),
        passages: Number(row?.['passages']),
        withoutVectors: Number(row?.['without_vectors']),
      }
    },
    generations: (after: string, limit: number) =>
      page.all(after, limit).map((row) => ({
        id: String(row['id']),
        documentId: String(row['document_id']),
        passages: Number(row['passages']),
      })),
  }
}
