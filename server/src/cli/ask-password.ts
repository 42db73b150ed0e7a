import { text } from 'node:stream/consumers'
import { Refused } from './command.ts'

function isEnd(key: string): boolean {
  return key === '\r' || key === '\n'
}
function isBreak(key: string): boolean {
  return key === '\u0003' || key === '\u0004'
}
function isBackspace(key: string): boolean {
  return key === '\u007f' || key === '\b'
}

/** The keys up to the end of a line; the terminal is one that shows none of them. */
function typedLine(terminal: NodeJS.ReadStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let line: string[] = []
    function finish(done: () => void): void {
      terminal.off('data', read)
      terminal.pause()
      process.stderr.write('\n')
      done()
    }
    // A pasted password arrives in one piece, with whatever was copied behind it.
    function read(piece: string): void {
      for (const key of piece) {
        if (isBreak(key) || isEnd(key)) {
          finish(() => (isEnd(key) ? resolve(line.join('')) : reject(new Refused('Nothing was changed.'))))
          return
        }
        if (isBackspace(key)) line = line.slice(0, -1)
        else line.push(key)
      }
    }
    terminal.on('data', read)
    terminal.resume()
  })
}

async function typedTwice(terminal: NodeJS.ReadStream): Promise<string> {
  process.stderr.write('Password: ')
  const first = await typedLine(terminal)
  process.stderr.write('Once more: ')
  if ((await typedLine(terminal)) !== first) throw new Refused("Passwords don't match")
  return first
}

/** Typed twice and hidden at a terminal; else the first line of what is piped in. */
export async function askPassword(input: NodeJS.ReadStream = process.stdin): Promise<string> {
  if (!input.isTTY) {
    const [line = ''] = (await text(input)).split(/\r?\n/, 1)
    if (line === '') throw new Refused('No password came in: type it at a terminal, or pipe one line in.')
    return line
  }
  input.setEncoding('utf8')
  // Before the question appears, so that nothing of a quick answer is shown either.
  input.setRawMode(true)
  try {
    return await typedTwice(input)
  } finally {
    input.setRawMode(false)
  }
}
