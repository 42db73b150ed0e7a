import { crc32 } from 'node:zlib'

const localSignature = 0x04034b50
const centralSignature = 0x02014b50
const endSignature = 0x06054b50
const version = 20
const namesAreUtf8 = 0x0800

/** Packs the parts into an uncompressed ZIP archive, because the DOCX reader only accepts archives. */
export function packUncompressed(parts: ReadonlyMap<string, Buffer>): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of parts) {
    const nameBytes = Buffer.from(name)
    // Common to both headers: version, flags, method, time, date, CRC, sizes, name length, extra field length.
    const common = Buffer.alloc(26)
    common.writeUInt16LE(version, 0)
    common.writeUInt16LE(namesAreUtf8, 2)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    const local = Buffer.alloc(4)
    local.writeUInt32LE(localSignature)
    const central = Buffer.alloc(6)
    central.writeUInt32LE(centralSignature)
    central.writeUInt16LE(version, 4)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    locals.push(local, common, nameBytes, content)
    directory.push(central, common, rest, nameBytes)
    offset += local.length + common.length + nameBytes.length + content.length
  }
  const directoryBytes = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(endSignature)
  end.writeUInt16LE(parts.size, 8)
  end.writeUInt16LE(parts.size, 10)
  end.writeUInt32LE(directoryBytes.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directoryBytes, end])
}

const bodyParts = /^word\/(?:document|footnotes|endnotes)\d*\.xml$/

/** Converts an equation to plain text, with / for fractions, ^ for superscripts and _ for subscripts. */
function formatEquation(equation: string): string {
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

/** Elements between a drawing and the text of its text box. */
const textBoxWrappers = 'wp:(?:anchor|inline)|a:graphic(?:Data)?|wps:(?:wsp|txbx)|wpg:(?:wgp|grpSp)|wpc:wpc'
const unwrappedElements = new RegExp(
  `</?(?:w:(?:fldSimple|dir|bdo)|m:oMathPara|${textBoxWrappers})(?:\\s[^>]*)?>`,
  'g',
)

/**
 * The DOCX reader skips elements it does not know together with their text: simple fields, bidirectional runs, newer
 * text boxes and equations. Replaces these elements with their content.
 */
function unwrapUnknownElements(xml: string): string {
  return xml
    .replace(unwrappedElements, '')
    .replace(/<m:oMath(?:\s[^>]*)?>([\s\S]*?)<\/m:oMath>/g, (_, equation: string) => {
      return `<w:r><w:t xml:space="preserve"> ${formatEquation(equation)} </w:t></w:r>`
    })
}

/** Removes links from lists to missing numbering styles, because the DOCX reader fails on them. */
function removeBrokenStyleLinks(numbering: string, styles: string): string {
  const known = new Set([...styles.matchAll(/\bw:styleId="([^"]*)"/g)].map(([, id]) => id))
  return numbering.replace(/<w:numStyleLink\s+w:val="([^"]*)"\s*\/>/g, (link, id: string) =>
    known.has(id) ? link : '',
  )
}

/** Rewrites the parts of a DOCX file that the reader cannot handle. */
export function rewriteParts(parts: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  const readable = new Map(parts)
  const styles = parts.get('word/styles.xml')?.toString('utf8') ?? ''
  for (const [name, content] of parts) {
    if (bodyParts.test(name)) readable.set(name, Buffer.from(unwrapUnknownElements(content.toString('utf8'))))
    if (name === 'word/numbering.xml')
      readable.set(name, Buffer.from(removeBrokenStyleLinks(content.toString('utf8'), styles)))
  }
  return readable
}
