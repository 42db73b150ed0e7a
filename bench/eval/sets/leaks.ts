import { documentsApi } from '@lyceum/contract/documents'
import { ask } from '../ask.ts'
import { createScriptedModel } from '../scripted-model.ts'
import { changeDocument, findTopPassages, openChannel, type Subject, upload } from '../server.ts'

/** Places whose content must not appear in an answer. */
const states = ['elsewhere', 'pending', 'rejected', 'deleted', 'superseded'] as const
type State = (typeof states)[number]

export interface LeakScore {
  asked: number
  /** Leaks by the place of the answer; all must be 0. */
  leaks: Record<State, number>
  /** Allowed answers that were found: without them the zeros would prove nothing. */
  controls: number
  controlsFound: number
}

interface Secret {
  state: State | 'allowed'
  question: string
  text: string
  word: string
}

const places = ['lighthouse', 'observatory', 'brewery', 'monastery']
const words: Record<Secret['state'], string> = {
  allowed: 'heron',
  elsewhere: 'falcon',
  pending: 'badger',
  rejected: 'otter',
  deleted: 'lynx',
  superseded: 'marten',
}

function createSecrets(state: Secret['state']): Secret[] {
  return places.map((place, at) => {
    const word = `${words[state]}-${4711 + at}`
    return {
      state,
      question: `What is the ${state} vault code of the ${place}?`,
      text: `The ${state} vault code of the ${place} is ${word}. Nobody else knows it.`,
      word,
    }
  })
}

function fileOf({ state, text }: Secret, at: number) {
  return {
    name: `${state}-${at}.txt`,
    title: `Note ${at}`,
    content: text,
  }
}

/** Replaces a document with a newer version. */
async function supersede(subject: Subject, documentId: string): Promise<void> {
  const { status } = await subject.app.upload(documentsApi.replace, {
    as: subject.admin,
    params: { id: documentId },
    file: {
      name: 'withdrawn.txt',
      content: `Note ${documentId} has been withdrawn and says nothing any more.\n`,
    },
  })
  if (status >= 300) throw new Error(`a new version answered ${status}`)
  await changeDocument(subject, 'approve', documentId)
}

/** Fills two channels with secrets in each document state, using an index that never removes passages. */
async function uploadSecrets(subject: Subject, secrets: readonly Secret[]): Promise<string> {
  const { deps } = subject.app
  function of(...wanted: Secret['state'][]) {
    return secrets.filter(({ state }) => wanted.includes(state))
  }
  await openChannel(subject, of('elsewhere').map(fileOf))
  const { channelId, documentIds } = await openChannel(
    subject,
    of('allowed', 'deleted', 'superseded').map(fileOf),
  )
  for (const [at, secret] of of('pending', 'rejected').entries()) {
    const id = await upload(subject, channelId, fileOf(secret, at))
    if (secret.state === 'rejected') await changeDocument(subject, 'reject', id)
  }
  const { drop } = deps.passageIndex
  // The hardest case: passages stay in the index, and only the database excludes them.
  deps.passageIndex.drop = async () => undefined
  for (const [at, { state }] of of('allowed', 'deleted', 'superseded').entries()) {
    const id = documentIds[at] ?? ''
    if (state === 'deleted') await changeDocument(subject, 'remove', id)
    if (state === 'superseded') await supersede(subject, id)
  }
  await subject.app.runJobs()
  deps.passageIndex.drop = drop
  return channelId
}

/** Everything that a question reveals: passages, a quoted answer, and the prompts and texts of models. */
async function collectRevealed(subject: Subject, channelId: string, question: string): Promise<string> {
  const { deps } = subject.app
  const passages = await findTopPassages(deps, channelId, question, 50)
  const quoted = await ask(deps, { channelId, question })
  const seen = [...passages.map(({ text }) => text), quoted.text]
  for (const isStrict of [false, true]) {
    const model = createScriptedModel('grounded')
    const { text } = await ask(deps, { channelId, question, isStrict, model })
    seen.push(text, model.lastPrompt().replaceAll(question, ''))
  }
  return seen.join('\n')
}

export async function countLeaks(subject: Subject): Promise<LeakScore> {
  const secrets = [...states, 'allowed' as const].flatMap(createSecrets)
  const channelId = await uploadSecrets(subject, secrets)
  const score: LeakScore = {
    asked: 0,
    leaks: { elsewhere: 0, pending: 0, rejected: 0, deleted: 0, superseded: 0 },
    controls: 0,
    controlsFound: 0,
  }
  for (const { state, question, word } of secrets) {
    // Also search for the secret by its surrounding words and by half of it.
    for (const wording of [question, `${word.split('-')[0]} vault code`]) {
      const isSeen = (await collectRevealed(subject, channelId, wording)).includes(word)
      score.asked += 1
      if (state !== 'allowed') score.leaks[state] += isSeen ? 1 : 0
      else {
        score.controls += 1
        score.controlsFound += isSeen ? 1 : 0
      }
    }
  }
  return score
}
