import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { uuidv7 } from 'uuidv7'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SecretsError } from '#keys/key-file.ts'
import { loadSecrets } from '#keys/secrets.ts'
import {
  DataFolderInUse,
  DataFolderUnusable,
  lockDataFolder,
  readLastNodeId,
  recordNodeId,
  withOwnSpool,
} from './data-folder.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'lyceum-folder-')), 'data')
})
afterEach(() => rmSync(dirname(folder), { recursive: true, force: true }))

describe('the data folder', () => {
  it('is created with mode 700 and locked by one server', () => {
    const lock = lockDataFolder(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(() => lockDataFolder(folder)).toThrow(DataFolderInUse)
    lock.release()
    lockDataFolder(folder).release()
  })

  it('loses unfinished uploads when a server starts on it, but not when a second one tries', () => {
    const spool = join(folder, 'spool')
    mkdirSync(spool, { recursive: true })
    writeFileSync(join(spool, 'a-file'), 'half')
    const lock = lockDataFolder(folder)
    expect(readdirSync(folder)).not.toContain('spool')
    mkdirSync(spool)
    expect(() => lockDataFolder(folder)).toThrow(DataFolderInUse)
    expect(readdirSync(folder)).toContain('spool')
    lock.release()
  })

  it('loses its unfinished uploads when the server stops', () => {
    const lock = lockDataFolder(folder)
    mkdirSync(join(folder, 'spool'))
    lock.release()
    expect(readdirSync(folder)).not.toContain('spool')
  })

  it('keeps the files of a running command when a server starts, and loses those of one that was killed', async () => {
    mkdirSync(join(folder, 'spool-killed'), { recursive: true })
    const yesterday = Date.now() / 1000 - 90_000
    utimesSync(join(folder, 'spool-killed'), yesterday, yesterday)
    await withOwnSpool(folder, async (spool) => {
      writeFileSync(join(spool, 'archive'), 'half')
      lockDataFolder(folder).release()
      expect(readdirSync(spool)).toEqual(['archive'])
    })
    expect(readdirSync(folder).filter((name) => name.startsWith('spool'))).toEqual([])
  })

  it('is rejected with a one-sentence error when it cannot be created', () => {
    mkdirSync(folder)
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    expect(() => lockDataFolder(file)).toThrow(DataFolderUnusable)
    expect(() => lockDataFolder(file)).toThrow(`The data folder ${file} cannot be used: `)
  })

  it('is rejected in words while its lock file is damaged', () => {
    mkdirSync(folder)
    const file = join(folder, 'lock.db')
    writeFileSync(file, 'x'.repeat(5000))
    expect(() => lockDataFolder(folder)).toThrow(DataFolderUnusable)
    expect(() => lockDataFolder(folder)).toThrow(`${file} is damaged. It contains no data: delete it`)
    rmSync(file)
    lockDataFolder(folder).release()
  })

  it('is unlocked after its server was killed', () => {
    const module = new URL('./data-folder.ts', import.meta.url).href
    const script = `import { lockDataFolder } from ${JSON.stringify(module)}
      lockDataFolder(${JSON.stringify(folder)}); process.kill(process.pid, 'SIGKILL')`
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script])
    expect(child.signal).toBe('SIGKILL')
    lockDataFolder(folder).release()
  })
})

describe('the node id', () => {
  function path() {
    return join(folder, 'node-id')
  }
  beforeEach(() => lockDataFolder(folder).release())

  it('is that of the last server, in a file with mode 600', async () => {
    expect(readLastNodeId(folder)).toBeNull()
    for (const nodeId of [uuidv7(), uuidv7()]) {
      await recordNodeId(folder, nodeId)
      expect(readLastNodeId(folder)).toBe(nodeId)
    }
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).not.toContain('node-id.new')
  })

  it.each(['', '\n', '01a2057d-7bd8-72', '\0'.repeat(37)])('is unknown if the file contains %j', (torn) => {
    writeFileSync(path(), torn)
    expect(readLastNodeId(folder)).toBeNull()
  })
})

describe('the secrets', () => {
  function path() {
    return join(folder, 'secrets.json')
  }
  beforeEach(() => lockDataFolder(folder).release())

  it('are created once, with mode 600', () => {
    const first = loadSecrets(path())
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(loadSecrets(path()).tokenKey).toEqual(first.tokenKey)
    expect(first.tokenKey).toHaveLength(32)
    expect(first.keyedHash('a', 'x')).not.toBe(first.keyedHash('b', 'x'))
  })

  it('are rejected when other users can read them or the keys are invalid', () => {
    writeFileSync(path(), '{}')
    chmodSync(path(), 0o644)
    expect(() => loadSecrets(path())).toThrow(/chmod 600/)
    rmSync(path())
    writeFileSync(path(), JSON.stringify({ tokenKey: 'changeme', pepper: 'changeme' }), { mode: 0o600 })
    expect(() => loadSecrets(path())).toThrow(SecretsError)
    writeFileSync(path(), '{"tokenKey":')
    expect(() => loadSecrets(path())).toThrow(/does not contain valid keys/)
  })

  it('are rejected with a one-sentence error when they cannot be created', () => {
    const missingPath = join(folder, 'not-there', 'secrets.json')
    expect(() => loadSecrets(missingPath)).toThrow(SecretsError)
    expect(() => loadSecrets(missingPath)).toThrow(`${missingPath} cannot be created: `)
  })
})
