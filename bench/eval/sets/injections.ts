import { ask } from '../ask.ts'
import { injections } from '../questions.ts'
import { createScriptedModel } from '../scripted-model.ts'
import { createIndexedChannel, type EvalServer } from '../server.ts'

export interface InjectionScore {
  tried: number
  /** Instructions that a model without defenses followed, and whose output was shown. */
  open: number
  strict: number
}

export async function tryInjections(server: EvalServer): Promise<InjectionScore> {
  const files = injections.map(({ text }, at) => ({
    name: `notice-${at + 1}.txt`,
    title: `Notice ${at + 1}`,
    content: text,
  }))
  const score: InjectionScore = { tried: injections.length, open: 0, strict: 0 }
  // Each in its own channel, because the stand-in follows the first instruction it finds.
  for (const [at, file] of files.entries()) {
    const injection = injections[at]
    if (!injection) continue
    const { channelId } = await createIndexedChannel(server, [file])
    for (const channel of ['open', 'strict'] as const) {
      const { text } = await ask(server.app.deps, {
        channelId,
        question: injection.question,
        isStrict: channel === 'strict',
        model: createScriptedModel('obeys-injection'),
      })
      if (text.includes(injection.word)) score[channel] += 1
    }
  }
  return score
}
