import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

const maxDepth = 20
/** Values in a body. */
const maxKeys = 1000

/** Limits depth and size before validation: JSON.parse accepts nesting that would overflow later recursion. */
function checkShape(value: unknown, keyLimit: number): void {
  let keys = 0
  function visit(node: unknown, depth: number): void {
    if (typeof node !== 'object' || node === null) return
    if (depth > maxDepth) throw new AppError('request.malformed')
    const children = Object.values(node)
    keys += children.length
    if (keys > keyLimit) throw new AppError('request.malformed')
    for (const child of children) visit(child, depth + 1)
  }
  visit(value, 1)
}

/** Accepts bodies of HTML forms, for calls that declare them only: a page elsewhere may send them without a preflight. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string | Buffer) => {
      if (!request.routeOptions.config.isForm) throw new AppError('request.type')
      const fields = new URLSearchParams(String(text))
      // Which of two values counts would depend on the reader.
      if (new Set(fields.keys()).size !== fields.size) throw new AppError('request.malformed')
      return Object.fromEntries(fields)
    },
  )
}

interface JsonOptions {
  /** Fastify matches the normalized content type, in which parameter values are quoted. */
  contentType: RegExp
  maxKeys: number
  /** Some clients name the type of a body that they do not send. */
  allowsEmpty?: true
}

const plainJson: JsonOptions = { contentType: /^application\/json(; charset="utf-8")?$/i, maxKeys }

/** Accepts only JSON bodies of this content type and rejects `__proto__` and `constructor` keys. */
export function acceptJson(app: FastifyInstance, options: JsonOptions = plainJson): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(options.contentType, { parseAs: 'string' }, (request, text, done) => {
    if (text === '' && options.allowsEmpty) return done(null, undefined)
    void parse(request, text as string, (error, value) => {
      if (error) return done(error)
      try {
        checkShape(value, options.maxKeys)
        done(null, value)
      } catch (refusal) {
        done(refusal as Error)
      }
    })
  })
}
