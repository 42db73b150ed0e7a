import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import { requireLibraries } from './maven.ts'
import { requireProgram, runProgram } from './process.ts'

const version = '9.12.1'
const source = join(root, 'tools', 'peers', 'lucene')
const program = join(source, 'LuceneRanking.java')

/** Compiles the program, unless that was done since it was changed. Returns the class path. */
function compile(): string {
  const libraries = requireLibraries({
    name: 'Lucene',
    version,
    source,
    goals: ['dependency:copy-dependencies@jars'],
  })
  const jars = join(libraries, '*')
  const classes = join(libraries, 'classes')
  const compiled = join(classes, 'LuceneRanking.class')
  if (!existsSync(compiled) || statSync(compiled).mtimeMs < statSync(program).mtimeMs) {
    mkdirSync(classes, { recursive: true })
    runProgram(requireProgram('javac', 'default-jdk-headless'), ['-cp', jars, '-d', classes, program])
  }
  return `${jars}:${classes}`
}

/** Returns the positions of the best passages for each question, by BM25 with the analyzer of the language. */
export function rankWithLucene(
  language: string,
  passages: readonly string[],
  questions: readonly string[],
  limit: number,
): number[][] {
  function writeLine(kind: string, text: string): string {
    return `${kind}\t${text.replace(/\s+/g, ' ')}\n`
  }
  const input = [
    ...passages.map((text) => writeLine('passage', text)),
    ...questions.map((text) => writeLine('question', text)),
  ].join('')
  const output = runProgram(
    requireProgram('java', 'default-jdk-headless'),
    [
      '-Xmx512m',
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-cp',
      compile(),
      'LuceneRanking',
      language,
      String(limit),
    ],
    input,
  )
  return output
    .split('\n')
    .slice(0, questions.length)
    .map((line) => line.split(' ').filter(Boolean).map(Number))
}
