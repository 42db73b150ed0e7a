import { documentsApi } from '@lyceum/contract/documents'
import { ask } from '../ask.ts'
import { createScriptedModel } from '../scripted-model.ts'
import { changeDocument, createIndexedChannel, type EvalServer, findTopPassages, upload } from '../server.ts'

/** The cases in which content must not appear in an answer: it is in another channel, or in one of four states. */
const states = ['elsewhere', 'pending', 'rejected', 'deleted', 'superseded'] as const
type State = (typeof states)[number]

export interface LeakScore {
  asked: number
  /** Leaks by the state of the document; all must be 0. */
  leaks: Record<State, number>
  /** Questions with an allowed answer, and how many of them found it. Unless all did, zero leaks prove nothing. */
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

function createSecretFile({ state, text }: Secret, at: number) {
  return {
    name: `${state}-${at}.txt`,
    title: `Note ${at}`,
    content: text,
  }
}

/** Replaces a document with a newer version. */
async function supersede(server: EvalServer, documentId: string): Promise<void> {
  const { status } = await server.app.upload(documentsApi.replace, {
    as: server.admin,
    params: { id: documentId },
    file: {
      name: 'withdrawn.txt',
      content: `Note ${documentId} has been withdrawn and says nothing any more.\n`,
    },
  })
  if (status >= 300) throw new Error(`uploading a new version returned ${status}`)
  await changeDocument(server, 'approve', documentId)
}

/** Fills two channels with secrets in each document state, using an index that never removes passages. */
async function uploadSecrets(server: EvalServer, secrets: readonly Secret[]): Promise<string> {
  const { deps } = server.app
  function selectSecrets(...wanted: Secret['state'][]) {
    return secrets.filter(({ state }) => wanted.includes(state))
  }
  await createIndexedChannel(server, selectSecrets('elsewhere').map(createSecretFile))
  const { channelId, documentIds } = await createIndexedChannel(
    server,
    selectSecrets('allowed', 'deleted', 'superseded').map(createSecretFile),
  )
  for (const [at, secret] of selectSecrets('pending', 'rejected').entries()) {
    const id = await upload(server, channelId, createSecretFile(secret, at))
    if (secret.state === 'rejected') await changeDocument(server, 'reject', id)
  }
  const { drop } = deps.passageIndex
  // The hardest case: passages stay in the index, and only the database excludes them.
  deps.passageIndex.drop = async () => undefined
  for (const [at, { state }] of selectSecrets('allowed', 'deleted', 'superseded').entries()) {
    const id = documentIds[at] ?? ''
    if (state === 'deleted') await changeDocument(server, 'remove', id)
    if (state === 'superseded') await supersede(server, id)
  }
  await server.app.runJobs()
  deps.passageIndex.drop = drop
  return channelId
}

/** Everything that a question reveals: passages, a quoted answer, and the prompts and texts of models. */
async function collectRevealed(server: EvalServer, channelId: string, question: string): Promise<string> {
  const { deps } = server.app
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

export async function countLeaks(server: EvalServer): Promise<LeakScore> {
  const secrets = [...states, 'allowed' as const].flatMap(createSecrets)
  const channelId = await uploadSecrets(server, secrets)
  const score: LeakScore = {
    asked: 0,
    leaks: { elsewhere: 0, pending: 0, rejected: 0, deleted: 0, superseded: 0 },
    controls: 0,
    controlsFound: 0,
  }
  for (const { state, question, word } of secrets) {
    // Also search for the secret by its surrounding words and by half of it.
    for (const wording of [question, `${word.split('-')[0]} vault code`]) {
      const isSeen = (await collectRevealed(server, channelId, wording)).includes(word)
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
