import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

const deepest = 20
const mostKeys = 1000

/** JSON.parse accepts what later recursion cannot bear, so depth and size are checked before anything else. */
function checkShape(value: unknown): void {
  let keys = 0
  function visit(node: unknown, depth: number): void {
    if (typeof node !== 'object' || node === null) return
    if (depth > deepest) throw new AppError('request.malformed')
    const children = Object.values(node)
    keys += children.length
    if (keys > mostKeys) throw new AppError('request.malformed')
    for (const child of children) visit(child, depth + 1)
  }
  visit(value, 1)
}

/** Bodies are JSON under exactly that content type; `__proto__` and `constructor` keys are refused. */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    // The framework compares what it has put into one form, in which parameters stand in quotes.
    /^application\/json(; charset="utf-8")?$/i,
    { parseAs: 'string' },
    (request, text, done) => {
      void parse(request, text as string, (error, value) => {
        if (error) return done(error)
        try {
          checkShape(value)
          done(null, value)
        } catch (refusal) {
          done(refusal as Error)
        }
      })
    },
  )
}
