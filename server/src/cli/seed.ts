import { readEnv } from '../env.ts'
import { type Command, noWords } from './command.ts'

export const seedCommand: Command = {
  name: 'seed',
  summary: 'fill an empty installation with people, channels, documents and chats to try it with',
  details: [
    'For development only: the password of everybody it makes is public. The server must be stopped.',
  ],
  async run(given) {
    noWords(given)
    const { seed } = await import('../seed/seed.ts')
    return seed(readEnv())
  },
}
