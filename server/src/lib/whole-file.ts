import { open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes sure that a rename in the folder survives a power cut. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder for syncing; its rename is journaled.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function writeAndSync(path: string, content: string | Buffer): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Writes a file that appears complete or not at all, whenever the process or the machine stops. */
export async function writeWholeFile(path: string, content: string | Buffer): Promise<void> {
  const temporaryPath = `${path}.new`
  try {
    await writeAndSync(temporaryPath, content)
    await rename(temporaryPath, path)
  } catch (error) {
    await unlink(temporaryPath).catch(() => undefined)
    throw error
  }
  await syncFolder(dirname(path))
}
