import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import { canInstall, install } from '../suites/debian.ts'

const cache = join(root, 'node_modules', '.cache', 'pgvector')
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
/** Of Debian 13, whose pgvector builds with the PostgreSQL of Debian 12, too. Debian 12 has none. */
const release = 'trixie'

/**
 * Copies the installation of PostgreSQL with these binaries into a folder, adds pgvector and returns the copied
 * binaries. The installation itself stays as it is. Builds the extension once for each checkout.
 */
export function addPgvector(binaries: string, folder: string): string {
  const program = realpathSync(join(binaries, 'postgres'))
  const version = /^\/usr\/lib\/postgresql\/(\d+)\/bin\/postgres$/.exec(program)?.[1]
  if (version === undefined) throw new Error(`${program} is not a PostgreSQL of Debian.`)
  const built = join(cache, version)
  if (!existsSync(built)) build(version, built)
  const [code, shared] = [join('lib', 'postgresql', version), join('share', 'postgresql', version)]
  // PostgreSQL finds its other files relative to its binaries.
  for (const part of [code, shared]) cpSync(join('/usr', part), join(folder, part), { recursive: true })
  cpSync(join(built, 'lib'), join(folder, code, 'lib'), { recursive: true })
  cpSync(join(built, 'extension'), join(folder, shared, 'extension'), { recursive: true })
  return join(folder, code, 'bin')
}

function build(version: string, target: string): void {
  if (!existsSync(keyring))
    throw new Error('The source of pgvector comes from Debian, whose keys are missing.')
  if (!existsSync('/usr/bin/gcc') && canInstall()) install('gcc')
  console.log('Building pgvector…')
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-pgvector-'))
  try {
    if (canInstall()) run('apt-get', ['-qq', 'update'], { cwd: folder })
    const source = downloadSource(folder)
    const headers = downloadHeaders(version, folder)
    const result = join(folder, 'result')
    for (const part of ['lib', 'extension']) mkdirSync(join(result, part), { recursive: true })
    const code = readdirSync(join(source, 'src')).filter((name) => name.endsWith('.c'))
    run('gcc', ['-O2', '-fPIC', '-shared', `-I${headers}`, ...code, '-o', join(result, 'lib', 'vector.so')], {
      cwd: join(source, 'src'),
    })
    const extensionVersion = /-([\d.]+)$/.exec(source)?.[1] ?? ''
    cpSync(join(source, 'vector.control'), join(result, 'extension', 'vector.control'))
    cpSync(join(source, 'sql', 'vector.sql'), join(result, 'extension', `vector--${extensionVersion}.sql`))
    store(result, target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Another run may have built it at the same time. */
function store(result: string, target: string): void {
  mkdirSync(cache, { recursive: true })
  const copy = mkdtempSync(join(cache, 'new-'))
  cpSync(result, copy, { recursive: true })
  if (existsSync(target)) rmSync(copy, { recursive: true })
  else renameSync(copy, target)
}

/** The address from which this machine gets its packages. */
function findArchive(folder: string): string {
  const filters = ['Created-By: Packages', 'Origin: Debian', 'Label: Debian']
  const [address] = run('apt-get', ['indextargets', '--format', '$(REPO_URI)', ...filters], { cwd: folder })
    .split('\n')
    .filter(Boolean)
  if (address === undefined) throw new Error('This machine has no source of Debian packages.')
  return address
}

/** Uses package lists of its own, so that the machine's are not changed. apt checks the signatures. */
function downloadSource(folder: string): string {
  const sources = `deb-src [signed-by=${keyring}] ${findArchive(folder)} ${release} main\n`
  writeFileSync(join(folder, 'sources.list'), sources)
  for (const name of ['lists', 'cache']) mkdirSync(join(folder, name))
  const options = {
    'Dir::Etc::sourcelist': join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    'APT::Sandbox::User': '',
  }
  const args = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  run('apt-get', [...args, '-qq', 'update'], { cwd: folder })
  run('apt-get', [...args, '-qq', '--download-only', 'source', 'pgvector'], { cwd: folder })
  const archive = readdirSync(folder).find((name) => name.endsWith('.orig.tar.gz'))
  if (archive === undefined) throw new Error('The source of pgvector has an unknown format.')
  run('tar', ['-xzf', archive], { cwd: folder })
  const name = readdirSync(folder).find((each) => each.startsWith('pgvector-'))
  return join(folder, name ?? '')
}

/** Unpacks the headers without installing them, because that would upgrade a PostgreSQL in use. */
function downloadHeaders(version: string, folder: string): string {
  const name = `postgresql-server-dev-${version}`
  run('apt-get', ['-qq', '-o', 'APT::Sandbox::User=', 'download', name], { cwd: folder })
  const archive = readdirSync(folder).find((each) => each.startsWith(name))
  run('dpkg-deb', ['-x', archive ?? '', 'headers'], { cwd: folder })
  return join(folder, 'headers', 'usr', 'include', 'postgresql', version, 'server')
}

function run(program: string, args: string[], { cwd }: { cwd: string }): string {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(`${program} failed: ${stderr?.trim().split('\n').at(-1) || message}`)
  }
}
