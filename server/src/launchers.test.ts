import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCheckout, createLaunchers } from '#testing/launchers.ts'
import { listChildren, listGroup, listTree, sendSignal } from '#testing/processes.ts'
import { type SpawnedServer, spawnServer } from '#testing/spawn-server.ts'
import { beginRequest } from '#testing/unfinished-request.ts'

let folder: string
let server: SpawnedServer | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-launch-'))
})
afterEach(async () => {
  if (server) sendSignal(-server.pid, 'SIGKILL')
  server = undefined
  await rm(folder, { recursive: true, force: true })
})

/** Runtimes signal the first process of a container, here the child of the program that creates the container. */
function findMainProcess(pid: number, isContainer: boolean): number {
  return (isContainer && listChildren(pid)[0]) || pid
}

type Way = (pid: number, isContainer: boolean) => void

const ways: Record<string, Way> = {
  'SIGTERM, as from a service manager': (pid, isContainer) =>
    sendSignal(findMainProcess(pid, isContainer), 'SIGTERM'),
  'Ctrl+C, which reaches the whole process group': (pid) => sendSignal(-pid, 'SIGINT'),
  'SIGTERM to each process in turn, as from systemd': (pid) => {
    for (const each of listTree(pid)) sendSignal(each, 'SIGTERM')
  },
}

async function isListening(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  )
}

describe.each(Object.keys(createLaunchers('')))('a server started by %s', (name) => {
  const isContainer = name.includes('container')

  it.each(Object.entries(ways))('finishes its work on %s, however often it arrives', async (_, stop) => {
    const launcher = createLaunchers(createCheckout(join(folder, 'checkout')))[name]
    const data = join(folder, 'data')
    server = await spawnServer({ DATA_DIR: data }, launcher)
    const { url, pid, output, exitCode } = server
    const request = await beginRequest(url)

    stop(pid, isContainer)
    await expect.poll(() => isListening(url)).toBe(false)
    stop(pid, isContainer)
    expect(await request.finish()).toMatch(/^HTTP\/1\.1 401 /)

    await expect.poll(() => listGroup(pid)).toEqual([])
    // What was printed may arrive after the process has ended.
    await expect.poll(output).toMatch(/Lyceum has stopped\.\n$/)
    // Closing the database removes its log.
    expect(existsSync(join(data, 'lyceum.db-wal'))).toBe(false)
    // npm ends on its own signal, without waiting for what it started.
    if (!name.startsWith('np')) expect(await exitCode).toBe(0)
  })
})
