/**
 * 'type': none of the kinds that are taken. 'unreadable': damaged, too large when unpacked, or too long in the making.
 * 'busy': more are waiting than should.
 */
export type ImageFault = 'type' | 'unreadable' | 'busy'

/** The picture cannot be taken; `fault` says why. */
export class ImageError extends Error {
  readonly fault: ImageFault
  constructor(fault: ImageFault, options?: ErrorOptions) {
    super(`picture: ${fault}`, options)
    this.fault = fault
  }
}

export interface ReencodedImage {
  content: Buffer
  mimeType: 'image/webp'
}

export interface ImageEncoder {
  /**
   * A picture made anew from the pixels of the file at `path`: its first frame, upright, at most 3840 x 2160, and
   * nothing of what the file said besides. Throws `ImageError`.
   */
  reencode(path: string): Promise<ReencodedImage>
  close(): Promise<void>
}
