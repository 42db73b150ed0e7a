import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { Lockfile } from './lockfile.ts'

/** What the registry says about the installed packages. */
export interface AuditResult {
  faults: string[]
  /** What could not be checked, and why. */
  unchecked: string[]
}

interface VulnerabilityReport {
  vulnerabilities?: Record<string, { severity: string; nodes: string[]; via: (string | { url: string })[] }>
}

interface SignatureReport {
  invalid?: { name: string; version: string }[]
  missing?: { name: string; version: string }[]
}

/** Runs npm and returns what it prints as JSON. It also exits with 1 when it finds something. */
async function runNpm(folder: string, args: string[]): Promise<unknown> {
  const npm = spawn('npm', [...args, '--json', '--fetch-retries=0', '--fetch-timeout=20000'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
  const output = await text(npm.stdout)
  try {
    return JSON.parse(output)
  } catch {
    return {}
  }
}

/** High and critical ones in a package that is delivered. SECURITY.md, "How fast we fix problems", has the times. */
function judgeVulnerabilities(report: VulnerabilityReport, { packages }: Lockfile): AuditResult {
  const { vulnerabilities } = report
  if (!vulnerabilities)
    return { faults: [], unchecked: ['Known vulnerabilities: the registry does not tell them.'] }
  const faults = Object.entries(vulnerabilities)
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .filter(([, { nodes }]) => nodes.some((path) => !packages[path]?.dev))
    .map(([name, { severity, via }]) => {
      const advisories = via.map((cause) => (typeof cause === 'string' ? `through ${cause}` : cause.url))
      return `${name} has a ${severity} vulnerability: ${advisories.join(', ')}`
    })
  return { faults, unchecked: [] }
}

export function judgeSignatures({ invalid, missing }: SignatureReport): AuditResult {
  if (!invalid || !missing)
    return { faults: [], unchecked: ['Signatures: the registry or its keys cannot be reached.'] }
  return {
    faults: [
      ...invalid.map(({ name, version }) => `${name} ${version} has an invalid signature`),
      ...missing.map(({ name, version }) => `${name} ${version} has no signature`),
    ],
    unchecked: [],
  }
}

/** Asks the registry about the packages installed in a folder. A mirror may not answer these questions. */
export async function auditPackages(
  folder: string,
  lockfile: Lockfile,
  flags: string[] = [],
): Promise<AuditResult> {
  const advisories = await runNpm(folder, ['audit', ...flags])
  const signatures = await runNpm(folder, ['audit', 'signatures', ...flags])
  const known = judgeVulnerabilities(advisories as VulnerabilityReport, lockfile)
  const signed = judgeSignatures(signatures as SignatureReport)
  return {
    faults: [...known.faults, ...signed.faults],
    unchecked: [...known.unchecked, ...signed.unchecked],
  }
}
