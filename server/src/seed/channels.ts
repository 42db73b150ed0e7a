import type { ChannelInput } from '@lyceum/contract/channels'
import type { Deps } from '../deps.ts'
import { createChannel } from '../features/channels/channels.ts'
import { joinChannels } from '../features/channels/membership.ts'
import { welcomeGuideId } from './assistants.ts'
import type { MemberName, SeededUsers } from './users.ts'

interface SeededChannel extends Partial<ChannelInput> {
  name: string
  description: string
  members: readonly MemberName[]
}

const allMembers: readonly MemberName[] = ['layla', 'yuki', 'oleksandra', 'zsofia', 'kwame', 'linh']

const channels = {
  policies: {
    name: 'Working here',
    description: 'Leave, travel, working hours and everything else the handbook covers.',
    llmModel: 'gpt-4o',
    strictDocumentsOnly: true,
    allowProposals: true,
    systemPrompt:
      'You answer employees’ questions about their employment. Name the rule, then the exception.',
    members: allMembers,
  },
  workshop: {
    name: 'Workshop and safety',
    description: 'Protective equipment, machines and what to do when something goes wrong.',
    llmModel: 'gpt-4o-mini',
    systemPrompt: 'Safety comes first. When in doubt, send people to the safety officer.',
    members: ['kwame', 'zsofia', 'oleksandra'],
  },
  desk: {
    name: 'Engineering desk',
    description: 'Calculations, snippets and second opinions, without documents.',
    llmModel: 'o3-mini',
    systemPrompt: 'Show the calculation step by step and give units.',
    starterQuestions: ['Convert 30 minutes into hours.', 'What does a pipe DN 50 weigh per meter?'],
    members: ['yuki', 'linh', 'kwame'],
  },
  library: {
    name: 'مكتبة الفريق',
    description: 'ملخّصات الكتب والمقالات التي يقرؤها الفريق كل شهر',
    llmModel: 'gpt-4o',
    members: ['layla', 'linh'],
  },
  welcome: {
    name: 'Welcome guide',
    description: 'A ready-made assistant that takes new colleagues through their first week.',
    useAssistant: true,
    openaiAssistantId: welcomeGuideId,
    members: allMembers,
  },
} satisfies Record<string, SeededChannel>

export type ChannelName = keyof typeof channels

function toChannelInput({ members: _, ...form }: SeededChannel): ChannelInput {
  return {
    systemPrompt: '',
    llmModel: '',
    strictDocumentsOnly: false,
    allowProposals: false,
    starterQuestions: [],
    retentionDays: null,
    useAssistant: false,
    openaiAssistantId: '',
    ...form,
  }
}

/** Creates channels of both kinds with their members, and returns their ids. */
export async function addChannels(deps: Deps, users: SeededUsers): Promise<Record<ChannelName, string>> {
  const ids: Partial<Record<ChannelName, string>> = {}
  for (const [key, channel] of Object.entries(channels)) {
    const { _id } = await createChannel(deps, users.owner, toChannelInput(channel))
    const joiningUsers = [users.admin, ...channel.members.map((name) => users.members[name])]
    await deps.db.transaction().execute(async (tx) => {
      for (const { userId } of joiningUsers) await joinChannels(tx, userId, [_id], deps.now())
    })
    ids[key as ChannelName] = _id
  }
  return ids as Record<ChannelName, string>
}
