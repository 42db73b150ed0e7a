import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataFolderInUse, DataFolderUnusable, holdDataFolder } from './data-folder.ts'
import { SecretsError } from './key-file.ts'
import { loadSecrets } from './secrets.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'lyceum-folder-')), 'data')
})
afterEach(() => rmSync(dirname(folder), { recursive: true, force: true }))

describe('the data folder', () => {
  it('is made for this user alone and held by one server', () => {
    const held = holdDataFolder(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(() => holdDataFolder(folder)).toThrow(DataFolderInUse)
    held.release()
    holdDataFolder(folder).release()
  })

  it('is refused in a sentence where it cannot be one', () => {
    mkdirSync(folder)
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    expect(() => holdDataFolder(file)).toThrow(DataFolderUnusable)
    expect(() => holdDataFolder(file)).toThrow(`The data folder ${file} cannot be used: `)
  })

  it('is free again after its server was killed', () => {
    const module = new URL('./data-folder.ts', import.meta.url).href
    const script = `import { holdDataFolder } from ${JSON.stringify(module)}
      holdDataFolder(${JSON.stringify(folder)}); process.kill(process.pid, 'SIGKILL')`
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script])
    expect(child.signal).toBe('SIGKILL')
    holdDataFolder(folder).release()
  })
})

describe('the secrets', () => {
  function path() {
    return join(folder, 'secrets.json')
  }
  beforeEach(() => holdDataFolder(folder).release())

  it('are made once, for this user alone', () => {
    const first = loadSecrets(path())
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(loadSecrets(path()).tokenKey).toEqual(first.tokenKey)
    expect(first.tokenKey).toHaveLength(32)
    expect(first.keyedHash('a', 'x')).not.toBe(first.keyedHash('b', 'x'))
  })

  it('are refused when others can read them or they are no keys', () => {
    writeFileSync(path(), '{}')
    chmodSync(path(), 0o644)
    expect(() => loadSecrets(path())).toThrow(/chmod 600/)
    rmSync(path())
    writeFileSync(path(), JSON.stringify({ tokenKey: 'changeme', pepper: 'changeme' }), { mode: 0o600 })
    expect(() => loadSecrets(path())).toThrow(SecretsError)
    writeFileSync(path(), '{"tokenKey":')
    expect(() => loadSecrets(path())).toThrow(/does not hold usable keys/)
  })

  it('are refused in a sentence where they cannot be made', () => {
    const nowhere = join(folder, 'not-there', 'secrets.json')
    expect(() => loadSecrets(nowhere)).toThrow(SecretsError)
    expect(() => loadSecrets(nowhere)).toThrow(`${nowhere} cannot be made: `)
  })
})
