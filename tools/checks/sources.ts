import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Texts by path, relative to the root. */
export type Sources = ReadonlyMap<string, string>

const extensions =
  /\.(ts|tsx|mjs|md|css|html|yaml|grit|service|conf)$|(^|\/)(Dockerfile|Caddyfile|\.env\.example)$|^\.ci\//

/** Reads every text file that git tracks or would track. */
export function readSources(root: string): Sources {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0')
  // A file that was deleted but not committed is still listed.
  const present = [...new Set(paths)].filter((path) => extensions.test(path) && existsSync(join(root, path)))
  return new Map(present.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** The tests of the checks contain violations on purpose. */
export function isPlanted(path: string): boolean {
  return /^tools\/checks\/[\w-]+\.test\.ts$/.test(path)
}

export function getLineNumber(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** The space between two words of a sentence: also a line break in a comment or in indented text. */
export const gap = String.raw`(?:[ \t]+|[ \t]*\n[ \t]*(?:(?:\*|//|#|>)[ \t]*)?)`
