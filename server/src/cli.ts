import { DatabaseInUse } from '#db/database-lock.ts'
import { isDatabaseUnavailable } from '#db/database-unavailable.ts'
import { SchemaInUse, SchemaIsNewer } from '#db/migrate.ts'
import { UpgradeFailed, UpgradeNotSafe } from './backup/before-upgrade.ts'
import { adminCreateCommand } from './cli/admin-create.ts'
import { adminPromoteCommand } from './cli/admin-promote.ts'
import { adminResetLinkCommand } from './cli/admin-reset-link.ts'
import { adminSetupLinkCommand } from './cli/admin-setup-link.ts'
import { auditVerifyCommand } from './cli/audit-verify.ts'
import { backupCommand } from './cli/backup.ts'
import { type Command, CommandError, type ExitCode, readArguments, UsageError } from './cli/command.ts'
import { doctorCommand } from './cli/doctor.ts'
import { keysRotateCommand } from './cli/keys-rotate.ts'
import { migrateCommand } from './cli/migrate.ts'
import { migrateToCommand } from './cli/migrate-to.ts'
import { permissionsCommand } from './cli/permissions.ts'
import { restoreCommand } from './cli/restore.ts'
import { seedCommand } from './cli/seed.ts'
import { startCommand } from './cli/start.ts'
import { EnvError } from './env.ts'
import { AppError } from './errors.ts'
import {
  DataFolderInUse,
  DataFolderUnusable,
  keepNewFilesPrivate,
  RestoreInterrupted,
} from './files/data-folder.ts'
import { SecretsError } from './keys/key-file.ts'
import { StorageUnavailable, StorageUnusable } from './providers/files/port.ts'

const commands: readonly Command[] = [
  startCommand,
  migrateCommand,
  adminCreateCommand,
  adminPromoteCommand,
  adminResetLinkCommand,
  adminSetupLinkCommand,
  permissionsCommand,
  auditVerifyCommand,
  keysRotateCommand,
  doctorCommand,
  backupCommand,
  restoreCommand,
  migrateToCommand,
  seedCommand,
]

function formatUsage({ name, synopsis }: Command): string {
  return `npx lyceum ${name}${synopsis ? ` ${synopsis}` : ''}`
}

function formatOverview(shown: readonly Command[]): string {
  const width = Math.max(...shown.map(({ name }) => name.length)) + 2
  return [
    'Usage: npx lyceum <command>',
    '',
    ...shown.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
    '',
    'Run npx lyceum <command> --help for details. Settings come from the environment: see the table in README.md.',
  ].join('\n')
}

function formatHelp(command: Command): string {
  return [
    `Usage: ${formatUsage(command)}`,
    '',
    `  ${command.summary}`,
    ...(command.details ?? []).map((line) => `  ${line}`),
  ].join('\n')
}

function startsWith(args: readonly string[], { name }: Command): boolean {
  return name.split(' ').every((word, index) => args[index] === word)
}

async function run(args: readonly string[]): Promise<ExitCode> {
  const asksForHelp = args.includes('--help') || args.includes('-h') || args[0] === 'help'
  const commandArgs = args[0] === 'help' ? args.slice(1) : args
  const command = commands.find((candidate) => startsWith(commandArgs, candidate))
  if (asksForHelp) {
    const group = commands.filter(({ name }) => name.startsWith(`${commandArgs[0]} `))
    console.log(command ? formatHelp(command) : formatOverview(group.length > 0 ? group : commands))
    return 0
  }
  if (!command) {
    console.error(formatOverview(commands))
    return 2
  }
  try {
    return await command.run(readArguments(command, args.slice(command.name.split(' ').length)))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}.\nUsage: ${formatUsage(command)}`)
    return 2
  }
}

function describeError(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return message || code || String(error)
}

const expectedErrors = [
  CommandError,
  AppError,
  EnvError,
  SecretsError,
  SchemaInUse,
  SchemaIsNewer,
  DataFolderInUse,
  DatabaseInUse,
  DataFolderUnusable,
  RestoreInterrupted,
  StorageUnavailable,
  StorageUnusable,
  UpgradeNotSafe,
  UpgradeFailed,
]

keepNewFilesPrivate()
try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (expectedErrors.some((kind) => error instanceof kind)) console.error((error as Error).message)
  else if (isDatabaseUnavailable(error))
    console.error(`The database cannot be reached: ${describeError(error)}`)
  else if ((error as { code?: string }).code === 'ERR_SQLITE_ERROR')
    console.error(`The database cannot be used: ${describeError(error)}`)
  else console.error(error)
  process.exitCode = 1
}
