// Re-encodes one picture in a child process: reads the file from stdin and writes the result to stdout.
import '../../lib/outlive-stop-signals.ts'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { unreadableExitCode } from './child-exit.ts'

sharp.cache(false)
sharp.concurrency(1)
// Blocks all other decoders of the library, whatever a file claims to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
  ],
})

const maxPixels = 40_000_000
const maxWidth = 3840
const maxHeight = 2160

async function reencode(file: Buffer, kind: string | undefined): Promise<Buffer> {
  const image = sharp(file, { limitInputPixels: maxPixels, failOn: 'error', pages: 1, autoOrient: true })
  const { format } = await image.metadata()
  if (format !== kind) throw new Error(`signature is ${kind}, but the decoder found ${format}`)
  return await image
    .resize({ width: maxWidth, height: maxHeight, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    // More effort makes noisy pictures slightly smaller but takes almost twice as long.
    .webp({ quality: 82, effort: 2 })
    .toBuffer()
}

try {
  process.stdout.end(await reencode(await buffer(process.stdin), process.argv[2]))
} catch (error) {
  process.stderr.write(String(error).slice(0, 500))
  process.exitCode = unreadableExitCode
}
