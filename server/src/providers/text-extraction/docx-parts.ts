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

/** What stands between a drawing and the text of a box in it. */
const aroundBoxes = 'wp:(?:anchor|inline)|a:graphic(?:Data)?|wps:(?:wsp|txbx)|wpg:(?:wgp|grpSp)|wpc:wpc'
const passedOver = new RegExp(`</?(?:w:(?:fldSimple|dir|bdo)|m:oMathPara|${aroundBoxes})(?:\\s[^>]*)?>`, 'g')

/**
 * The reader of Word documents passes over elements that it does not know, with the text in them: simple fields,
 * runs with a direction of their own, newer text boxes, equations. What is in them takes their place.
 */
function withoutUnknown(xml: string): string {
  return xml
    .replace(passedOver, '')
    .replace(/<m:oMath(?:\s[^>]*)?>([\s\S]*?)<\/m:oMath>/g, (_, equation: string) => {
      return `<w:r><w:t xml:space="preserve"> ${typedEquation(equation)} </w:t></w:r>`
    })
}

/** A list that takes its numbers from a style that is not there would end the reading. */
function withKnownStyles(numbering: string, styles: string): string {
  const known = new Set([...styles.matchAll(/\bw:styleId="([^"]*)"/g)].map(([, id]) => id))
  return numbering.replace(/<w:numStyleLink\s+w:val="([^"]*)"\s*\/>/g, (link, id: string) =>
    known.has(id) ? link : '',
  )
}

/** Makes the parts of a Word document ready to be read. */
export function readableParts(parts: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  const readable = new Map(parts)
  const styles = parts.get('word/styles.xml')?.toString('utf8') ?? ''
  for (const [name, content] of parts) {
    if (bodies.test(name)) readable.set(name, Buffer.from(withoutUnknown(content.toString('utf8'))))
    if (name === 'word/numbering.xml')
      readable.set(name, Buffer.from(withKnownStyles(content.toString('utf8'), styles)))
  }
  return readable
}
