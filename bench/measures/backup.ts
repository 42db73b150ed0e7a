import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runBackupDrill } from '../../server/src/testing/backup-drill.ts'
import { runCli } from '../../server/src/testing/run-cli.ts'
import type { Figure, Measure } from '../figures.ts'
import { copyWithRecords, large } from '../large-records.ts'
import { withFolder } from '../server-process.ts'

const rounds = 30

async function timeCommand(args: readonly string[], dataFolder: string): Promise<number> {
  const begun = performance.now()
  const { code, stderr } = await runCli(args, { DATA_DIR: dataFolder })
  if (code !== 0) throw new Error(`lyceum ${args[0]} ended with ${code}: ${stderr}`)
  return (performance.now() - begun) / 1000
}

function measureLargeBackup(logStep: (step: string) => void): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const [used, path] = [join(folder, 'used'), join(folder, 'backup.tar.gz')]
    await copyWithRecords(used, large, logStep)
    logStep('backing up and restoring a million messages')
    const backup = await timeCommand(['backup', path], used)
    const verify = await timeCommand(['backup', '--verify', path], used)
    const restore = await timeCommand(['restore', path], join(folder, 'restored'))
    async function measureMegabytes(file: string): Promise<number> {
      return (await stat(file)).size / 1e6
    }
    return [
      { label: 'backup of 1M messages', value: backup, unit: 's' },
      { label: 'size of the backup', value: await measureMegabytes(path), unit: 'MB' },
      { label: 'size of the database', value: await measureMegabytes(join(used, 'lyceum.db')), unit: 'MB' },
      { label: 'verification', value: verify, unit: 's' },
      { label: 'restore', value: restore, unit: 's' },
    ]
  })
}

async function runDrills(logStep: (step: string) => void): Promise<Figure[]> {
  let [messages, documents, faults] = [0, 0, 0]
  for (let round = 1; round <= rounds; round += 1) {
    const outcome = await withFolder((folder) =>
      runBackupDrill({
        from: { DATA_DIR: join(folder, 'from') },
        to: { DATA_DIR: join(folder, 'to') },
        before: 500 + Math.random() * 8000,
        after: Math.random() * 2000,
      }),
    )
    messages += outcome.messages
    documents += outcome.documents
    faults += outcome.faults.length
    logStep(`drill ${round} of ${rounds}: ${outcome.faults.join('; ') || 'nothing lost'}`)
  }
  return [
    {
      label: `acknowledged messages lost or duplicated in ${rounds} drills`,
      value: faults,
      unit: '',
      max: 0,
    },
    { label: 'messages checked', value: messages, unit: '' },
    { label: 'documents checked', value: documents, unit: '' },
  ]
}

export const backup: Measure = {
  name: 'backup',
  title: 'Backup, restore, and drills: load, backup, kill -9, restore elsewhere',
  run: async (logStep) => [...(await measureLargeBackup(logStep)), ...(await runDrills(logStep))],
}
