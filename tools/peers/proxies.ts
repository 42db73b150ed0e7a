import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import { findFreePort } from '../../server/src/testing/spawn-server.ts'
import type { Certificate } from './certificate.ts'
import { type PeerProcess, requireProgram, startPeer } from './process.ts'

export interface ReverseProxy extends PeerProcess {
  http: string
  https: string
}

interface Setup {
  folder: string
  certificate: Certificate
  /** The port of the Lyceum server behind the proxy. */
  serverPort: string
  /** The port of a second one. Then the example for several servers is used. */
  secondPort?: string
}

/** The servers that an example names, and the ports to replace them with. */
function replaceServers({ serverPort, secondPort }: Setup): [string, string][] {
  return secondPort === undefined
    ? [['127.0.0.1:3000', `127.0.0.1:${serverPort}`]]
    : [
        ['web-1:3000', `127.0.0.1:${serverPort}`],
        ['web-2:3000', `127.0.0.1:${secondPort}`],
      ]
}

/** Reads an example of the repository and replaces what an operator would, and the ports. */
function readExample(name: string, replacements: readonly (readonly [string | RegExp, string])[]): string {
  let text = readFileSync(join(root, 'deploy', name), 'utf8')
  for (const [before, after] of replacements) {
    const changed = text.replaceAll(before, after)
    if (changed === text) throw new Error(`deploy/${name} does not contain ${before}.`)
    text = changed
  }
  return text
}

async function findPorts() {
  const [http, https] = [await findFreePort(), await findFreePort()]
  return { http, https, urls: { http: `http://localhost:${http}`, https: `https://localhost:${https}` } }
}

function isAnswering(url: string): Promise<boolean> {
  return fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  )
}

/** Starts nginx with deploy/nginx.conf or nginx.cluster.conf. */
export async function startNginx(setup: Setup): Promise<ReverseProxy> {
  const { folder, certificate, secondPort } = setup
  const program = requireProgram('nginx')
  const { http, https, urls } = await findPorts()
  const servers = readExample(secondPort === undefined ? 'nginx.conf' : 'nginx.cluster.conf', [
    // Not every machine has IPv6.
    [/^ *listen \[::\].*\n/gm, ''],
    ['listen 443 ', `listen 127.0.0.1:${https} `],
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['/etc/letsencrypt/live/chat.example.org/fullchain.pem', certificate.certificate],
    ['/etc/letsencrypt/live/chat.example.org/privkey.pem', certificate.key],
    ['chat.example.org', 'localhost'],
    ...replaceServers(setup),
  ])
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join('\n')
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off;\npid ${join(folder, 'nginx.pid')};\nevents {}\nhttp {\n${temporary}\n${servers}}\n`,
  )
  const peer = await startPeer(program, ['-e', 'stderr', '-p', folder, '-c', config], () =>
    isAnswering(urls.http),
  )
  return { ...peer, ...urls }
}

/** Starts Caddy with deploy/Caddyfile or Caddyfile.cluster. */
export async function startCaddy(setup: Setup): Promise<ReverseProxy> {
  const { folder, certificate, secondPort } = setup
  const program = requireProgram('caddy')
  const { http, https, urls } = await findPorts()
  const sites = readExample(secondPort === undefined ? 'Caddyfile' : 'Caddyfile.cluster', [
    [/^chat\.example\.org \{$/gm, `localhost {\n\ttls ${certificate.certificate} ${certificate.key}`],
    ['http://chat.example.org', 'http://localhost'],
    ...replaceServers(setup),
  ])
  const config = join(folder, 'Caddyfile')
  const ports = `\thttp_port ${http}\n\thttps_port ${https}\n\tdefault_bind 127.0.0.1`
  writeFileSync(config, `{\n\tadmin off\n${ports}\n}\n${sites}`)
  const peer = await startPeer(
    program,
    ['run', '--adapter', 'caddyfile', '--config', config],
    () => isAnswering(urls.http),
    // Caddy stores its data there.
    { HOME: folder },
  )
  return { ...peer, ...urls }
}
