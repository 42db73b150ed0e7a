// Runs in a process of its own for one picture: the file comes by stdin, what is made of it leaves by stdout.
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { unreadableExit } from './child-exit.ts'

sharp.cache(false)
sharp.concurrency(1)
// What else the library could read is not there at all, whatever a file makes it believe.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
  ],
})

const mostPixels = 40_000_000
const widest = 3840
const highest = 2160

async function reencode(file: Buffer, kind: string | undefined): Promise<Buffer> {
  const image = sharp(file, { limitInputPixels: mostPixels, failOn: 'error', pages: 1, autoOrient: true })
  const { format } = await image.metadata()
  if (format !== kind) throw new Error(`begins as ${kind} and is read as ${format}`)
  return await image
    .resize({ width: widest, height: highest, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    // More effort makes noise a little smaller and takes nearly twice as long.
    .webp({ quality: 82, effort: 2 })
    .toBuffer()
}

try {
  process.stdout.end(await reencode(await buffer(process.stdin), process.argv[2]))
} catch (error) {
  process.stderr.write(String(error).slice(0, 500))
  process.exitCode = unreadableExit
}
