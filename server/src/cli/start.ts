import { type Command, requireNoPositionals } from './command.ts'

export const startCommand: Command = {
  name: 'start',
  summary: 'run the server',
  details: ['Like npm start, which also builds the web client if necessary.'],
  async run(args) {
    requireNoPositionals(args)
    await import('../main.ts')
    return 0
  },
}
