import { type Command, noWords } from './command.ts'

export const startCommand: Command = {
  name: 'start',
  summary: 'run the server',
  details: ['Like npm start, which builds the web client first where that is needed.'],
  async run(given) {
    noWords(given)
    await import('../main.ts')
    return 0
  },
}
