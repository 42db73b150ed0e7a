import { text } from 'node:stream/consumers'
import { CommandError } from './command.ts'

function isEnd(key: string): boolean {
  return key === '\r' || key === '\n'
}
function isInterrupt(key: string): boolean {
  return key === '\u0003' || key === '\u0004'
}
function isBackspace(key: string): boolean {
  return key === '\u007f' || key === '\b'
}

/** Reads keys up to the end of the line. The terminal is in raw mode, so it does not echo them. */
function readTypedLine(terminal: NodeJS.ReadStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let line: string[] = []
    function finish(done: () => void): void {
      terminal.off('data', read)
      terminal.pause()
      process.stderr.write('\n')
      done()
    }
    // A paste arrives in one piece. Text after the first line break is ignored.
    function read(piece: string): void {
      for (const key of piece) {
        if (isInterrupt(key) || isEnd(key)) {
          finish(() =>
            isEnd(key) ? resolve(line.join('')) : reject(new CommandError('Nothing was changed.')),
          )
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

async function readTwice(terminal: NodeJS.ReadStream): Promise<string> {
  process.stderr.write('Password: ')
  const first = await readTypedLine(terminal)
  process.stderr.write('Repeat password: ')
  if ((await readTypedLine(terminal)) !== first) throw new CommandError("Passwords don't match")
  return first
}

/** Asks twice at a terminal, without showing the input. Otherwise reads the first line of standard input. */
export async function askPassword(input: NodeJS.ReadStream = process.stdin): Promise<string> {
  if (!input.isTTY) {
    const [line = ''] = (await text(input)).split(/\r?\n/, 1)
    if (line === '')
      throw new CommandError('No password was given. Type it at a terminal, or pipe it to standard input.')
    return line
  }
  input.setEncoding('utf8')
  // Set before the prompt appears, so that fast typing is not echoed either.
  input.setRawMode(true)
  try {
    return await readTwice(input)
  } finally {
    input.setRawMode(false)
  }
}
