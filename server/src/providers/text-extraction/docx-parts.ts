import { crc32 } from 'node:zlib'

const localMark = 0x04034b50
const centralMark = 0x02014b50
const endMark = 0x06054b50
const version = 20
const namesAreUtf8 = 0x0800

/** An archive of parts as they are, for a reader that only takes archives. */
export function packStored(parts: ReadonlyMap<string, Buffer>): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of parts) {
    const nameBytes = Buffer.from(name)
    // Shared by both heads: version, flags, method, time, date, checksum, sizes, length of the name, of extras.
    const common = Buffer.alloc(26)
    common.writeUInt16LE(version, 0)
    common.writeUInt16LE(namesAreUtf8, 2)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    const local = Buffer.alloc(4)
    local.writeUInt32LE(localMark)
    const central = Buffer.alloc(6)
    central.writeUInt32LE(centralMark)
    central.writeUInt16LE(version, 4)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    locals.push(local, common, nameBytes, content)
    directory.push(central, common, rest, nameBytes)
    offset += local.length + common.length + nameBytes.length + content.length
  }
  const directoryBytes = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(endMark)
  end.writeUInt16LE(parts.size, 8)
  end.writeUInt16LE(parts.size, 10)
  end.writeUInt32LE(directoryBytes.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directoryBytes, end])
}

const bodies = /^word\/(?:document|footnotes|endnotes)\d*\.xml$/

/** An equation as one would type it: what stands over a line, high or low is marked. */
function typedEquation(equation: string): string {
  const typed = equation
    .replace(/<m:naryPr\b[\s\S]*?<\/m:naryPr>/g, (kind) => {
      const sign = /<m:chr\s+m:val="([^"]*)"/.exec(kind)?.[1] ?? '∫'
      return `<m:t>${sign}</m:t>`
    })
    .replaceAll('</m:num>', '</m:num><m:t>/</m:t>')
    .replace(/<m:sup>/g, '<m:t>^</m:t>')
    .replace(/<m:sub>/g, '<m:t>_</m:t>')
  return [...typed.matchAll(/<m:t(?:\s[^>]*)?>([^<]*)<\/m:t>/g)].map(([, text]) => text).join('')
}

/**
 * The reader of Word documents passes over elements that it does not know, with the text in them: simple fields,
 * runs with a direction of their own, equations. They become plain runs.
 */
const withoutUnknown = (xml: string): string =>
  xml
    .replace(/<\/?(?:w:(?:fldSimple|dir|bdo)|m:oMathPara)(?:\s[^>]*)?>/g, '')
    .replace(/<m:oMath(?:\s[^>]*)?>([\s\S]*?)<\/m:oMath>/g, (_, equation: string) => {
      return `<w:r><w:t xml:space="preserve"> ${typedEquation(equation)} </w:t></w:r>`
    })

/** Makes the parts of a Word document ready to be read. */
export function readableParts(parts: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  return new Map(
    [...parts].map(([name, content]) => [
      name,
      bodies.test(name) ? Buffer.from(withoutUnknown(content.toString('utf8'))) : content,
    ]),
  )
}
