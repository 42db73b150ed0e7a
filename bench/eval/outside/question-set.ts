import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import * as z from 'zod'
import { cleanText } from '../../../server/src/providers/text-extraction/clean-text.ts'

/** A public set in the format of SQuAD: https://rajpurkar.github.io/SQuAD-explorer/. */
const file = z.object({
  data: z.array(
    z.object({
      paragraphs: z.array(
        z.object({
          context: z.string(),
          qas: z.array(
            z.object({
              question: z.string(),
              answers: z.array(z.object({ text: z.string(), answer_start: z.number() })),
              is_impossible: z.boolean().default(false),
            }),
          ),
        }),
      ),
    }),
  ),
})

export interface SetQuestion {
  question: string
  /** The position of its article. */
  article: number
  paragraph: string
  /** Accepted answers. `start` is the position in the paragraph. Empty if the article has none. */
  answers: { text: string; start: number }[]
}

export interface QuestionSet {
  name: string
  /** Each is a list of paragraphs. */
  articles: string[][]
  questions: SetQuestion[]
}

/** The text as the server stores it, on one line. */
function toLine(text: string): string {
  return cleanText(text).replaceAll('\n', ' ')
}

export function readQuestionSet(path: string): QuestionSet {
  const { data } = file.parse(JSON.parse(readFileSync(path, 'utf8')))
  return {
    name: basename(path, '.json'),
    articles: data.map(({ paragraphs }) => paragraphs.map(({ context }) => toLine(context))),
    questions: data.flatMap(({ paragraphs }, article) =>
      paragraphs.flatMap(({ context, qas }) =>
        qas.map(({ question, answers, is_impossible }) => ({
          question,
          article,
          paragraph: toLine(context),
          answers: is_impossible
            ? []
            : answers.map(({ text, answer_start }) => ({
                text: toLine(text),
                start: toLine(context.slice(0, answer_start)).length,
              })),
        })),
      ),
    ),
  }
}
