/**
 * 'type': not an accepted format. 'unreadable': damaged, too large when decoded, or too slow to encode. 'busy': too
 * many pictures are waiting.
 */
export type ImageFault = 'type' | 'unreadable' | 'busy'

/** The picture cannot be used; `fault` gives the reason. */
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
   * Re-encodes the file at `path` from its pixels only: the first frame, upright, at most 3840 x 2160, without metadata.
   * Throws `ImageError`.
   */
  reencode(path: string): Promise<ReencodedImage>
  close(): Promise<void>
}
