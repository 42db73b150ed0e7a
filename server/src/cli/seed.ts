import { readEnv } from '../env.ts'
import { type Command, requireNoPositionals } from './command.ts'

export const seedCommand: Command = {
  name: 'seed',
  summary: 'fill an empty installation with sample users, channels, documents and chats',
  details: ['For development only: the password of all sample users is public. The server must be stopped.'],
  async run(args) {
    requireNoPositionals(args)
    const { seed } = await import('../seed/seed.ts')
    return seed(readEnv())
  },
}
