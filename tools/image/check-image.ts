/**
 * Tests the Dockerfile on machines without a container engine: runs its steps in empty folders, starts the server
 * as a container would, and runs its health check. `npm run check:image`
 */
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
/** The published unpacked size of debian:trixie-slim; measuring it would require pulling it. */
const baseMegabytes = 79
const maxMegabytes = 300

interface Step {
  word: string
  rest: string
}

interface Stage {
  name: string
  root: string
  workdir: string
}

function parseSteps(dockerfile: string): Step[] {
  return dockerfile
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [word = '', ...rest] = line.split(' ')
      return { word, rest: rest.join(' ') }
    })
}

/** Replaces the image's absolute paths with paths below a stage's folder. */
function mapPaths(root: string, text: string): string {
  return text.replaceAll(/(?<![\w.])\/(app|data|usr\/local\/bin|tmp)\b/g, (_, path: string) =>
    join(root, path),
  )
}

function createIgnoreFilter(): (path: string) => boolean {
  const patterns = readFileSync(join(repository, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  return (path) =>
    patterns.some((pattern) => {
      if (pattern.startsWith('**/')) return `/${path}/`.includes(`/${pattern.slice(3)}/`)
      if (pattern.startsWith('*.')) return !path.includes('/') && path.endsWith(pattern.slice(1))
      return path === pattern || path.startsWith(`${pattern}/`)
    })
}

function copyContext(target: string): void {
  const isIgnored = createIgnoreFilter()
  cpSync(repository, target, {
    recursive: true,
    filter: (source) => source === repository || !isIgnored(source.slice(repository.length + 1)),
  })
}

function computeSize(path: string): number {
  const found = lstatSync(path)
  if (!found.isDirectory()) return found.size
  return readdirSync(path).reduce((sum, name) => sum + computeSize(join(path, name)), 0)
}

function run(stage: Stage, command: string, env: NodeJS.ProcessEnv): void {
  process.stdout.write(`RUN ${command}\n`)
  execFileSync('sh', ['-ec', mapPaths(stage.root, command)], {
    cwd: stage.workdir,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function copy(stages: readonly Stage[], stage: Stage, rest: string): void {
  const words = rest.split(' ')
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined
  const target = words.pop() ?? ''
  const destination = target.startsWith('/') ? join(stage.root, target) : join(stage.workdir, target)
  if (from === undefined) {
    if (words.join(' ') !== '.') throw new Error(`only COPY of the whole folder is supported: COPY ${rest}`)
    copyContext(destination)
    return
  }
  const source = stages.find(({ name }) => name === from)
  for (const path of words) {
    const found = path.endsWith('/bin/node') ? process.execPath : join(source?.root ?? '', path)
    if (!existsSync(found)) throw new Error(`${path} is not in stage ${from}`)
    const isFolder = target.endsWith('/')
    cpSync(found, isFolder ? join(destination, basename(path)) : destination, {
      recursive: true,
      verbatimSymlinks: true,
    })
  }
}

interface Image {
  stage: Stage
  env: Record<string, string>
  command: string[]
  health: string[]
  user: number
}

function parseList(text: string): string[] {
  return JSON.parse(text.slice(text.indexOf('['))) as string[]
}

function build(folder: string): Image {
  const stages: Stage[] = []
  const image: Omit<Image, 'stage'> = { env: {}, command: [], health: [], user: 0 }
  for (const { word, rest } of parseSteps(readFileSync(join(repository, 'Dockerfile'), 'utf8'))) {
    const stage = stages.at(-1)
    if (word === 'FROM') {
      const root = join(folder, String(stages.length))
      for (const path of ['app', 'tmp', 'usr/local/bin']) mkdirSync(join(root, path), { recursive: true })
      stages.push({ name: rest.split(' AS ')[1] ?? '', root, workdir: root })
      continue
    }
    if (!stage) throw new Error('a Dockerfile must begin with FROM')
    switch (word) {
      case 'WORKDIR':
        stage.workdir = join(stage.root, rest)
        break
      case 'COPY':
        copy(stages, stage, rest)
        break
      case 'RUN': {
        const path = `${dirname(process.execPath)}:${process.env['PATH']}`
        run(stage, rest, { ...process.env, PATH: path })
        break
      }
      case 'ENV':
        for (const pair of rest.split(' ')) {
          const [name = '', value = ''] = pair.split('=')
          image.env[name] = mapPaths(stage.root, value)
        }
        break
      case 'USER':
        image.user = Number(rest.split(':')[0])
        break
      case 'HEALTHCHECK':
        image.health = parseList(rest)
        break
      case 'CMD':
        image.command = parseList(rest)
        break
      case 'VOLUME':
      case 'EXPOSE':
      case 'STOPSIGNAL':
        break
      default:
        throw new Error(`this script does not support ${word}`)
    }
  }
  const stage = stages.at(-1)
  if (!stage) throw new Error('the Dockerfile has no stage')
  return { ...image, stage }
}

function findFreePort(): Promise<number> {
  return new Promise((settle) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => settle(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function isHealthy(image: Image, options: object): boolean {
  try {
    const [program = '', ...args] = image.health
    execFileSync(join(image.stage.root, 'usr/local/bin', program), args, { ...options, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function start(image: Image): Promise<void> {
  const { stage, user } = image
  const env = { ...image.env, PATH: '/usr/bin:/bin', PORT: String(await findFreePort()) }
  // Only root can switch to the image's user; others run the server as themselves.
  const isRoot = process.getuid?.() === 0
  if (isRoot) execFileSync('chmod', ['-R', 'a+rX', stage.root])
  if (isRoot) execFileSync('chmod', ['1777', join(stage.root, 'tmp')])
  if (isRoot) execFileSync('chmod', ['0700', join(stage.root, 'data')])
  const options = { cwd: stage.workdir, env, ...(isRoot ? { uid: user, gid: user } : {}) }
  const [program = '', ...args] = image.command
  const server = spawn(join(stage.root, 'usr/local/bin', program), args, { ...options, stdio: 'inherit' })
  const ended = new Promise<number | null>((settle) => {
    server.once('exit', (code) => settle(code))
  })
  const deadline = Date.now() + 60_000
  while (!isHealthy(image, options)) {
    if (server.exitCode !== null || Date.now() > deadline)
      throw new Error('the server did not become healthy')
    await sleep(200)
  }
  server.kill('SIGTERM')
  const code = await ended
  if (code !== 0) throw new Error(`the server exited with code ${code} on SIGTERM`)
}

const folder = resolve(process.argv[2] ?? mkdtempSync(join(tmpdir(), 'lyceum-image-')))
mkdirSync(folder, { recursive: true })
// The image's user must be able to enter the folder.
execFileSync('chmod', ['a+rx', folder])
try {
  const image = build(folder)
  const added = computeSize(image.stage.root) / 1e6
  await start(image)
  const total = added + baseMegabytes
  console.log(
    `Healthy, and stopped on SIGTERM. ${added.toFixed(0)} MB on top of the base image of ${baseMegabytes} MB.`,
  )
  if (total > maxMegabytes)
    throw new Error(`the image would be ${total.toFixed(0)} MB, more than ${maxMegabytes}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
