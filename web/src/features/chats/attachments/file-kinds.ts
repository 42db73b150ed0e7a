import { attachmentMimeTypes, type PictureKind, pictureKinds } from '@lyceum/contract/attachments'
import { acceptedFiles, documentKinds } from '@lyceum/contract/documents'

const pictureTypes = pictureKinds.map((kind: PictureKind) => attachmentMimeTypes[kind])

/** The `accept` attribute of the file input. */
export function listAccepted(takesPictures: boolean): string {
  return takesPictures ? [acceptedFiles, ...pictureTypes].join(',') : acceptedFiles
}

/** By the type that the browser gives it. The server decides by the content. */
export function isPicture({ type }: File): boolean {
  return pictureTypes.includes(type)
}

export function isDocument({ name }: File): boolean {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  return documentKinds.some((kind) => kind === extension)
}
