import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'

const aptGet = '/usr/bin/apt-get'

export function isRoot(): boolean {
  return userInfo().uid === 0
}

/** Whether we can install what a suite needs: on Debian and its derivatives, as root. */
export function canInstall(): boolean {
  return isRoot() && existsSync(aptGet)
}

export function install(name: string): void {
  console.log(`Installing ${name}…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', name],
  ]) {
    const { status } = spawnSync(aptGet, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) throw new Error(`apt-get ${args[0]} failed while installing ${name}.`)
  }
}
