/** The name of a bucket. */
export function isBucketName(text: string): boolean {
  return /^[a-zA-Z0-9][\w.-]{2,62}$/.test(text)
}

/** A folder in a bucket, without slashes at its ends. `.` and `..` would lead to other folders on some servers. */
export function isBucketFolder(text: string): boolean {
  return text.split('/').every((part) => /^(?!\.{1,2}$)[\w.-]+$/.test(part))
}

export interface S3Address {
  bucket: string
  /** The folders and the name below the bucket; undefined for the bucket itself. */
  path: string | undefined
}

const scheme = 's3://'

export function isS3Address(text: string): boolean {
  return text.startsWith(scheme)
}

/** Parses `s3://bucket/folder/name`; null if it is malformed. */
export function parseS3Address(text: string): S3Address | null {
  if (!isS3Address(text)) return null
  const [bucket = '', ...parts] = text.slice(scheme.length).replace(/\/+$/, '').split('/')
  const path = parts.length === 0 ? undefined : parts.join('/')
  return isBucketName(bucket) && (path === undefined || isBucketFolder(path)) ? { bucket, path } : null
}

export function formatS3Address({ bucket, path }: S3Address): string {
  return path === undefined ? `${scheme}${bucket}` : `${scheme}${bucket}/${path}`
}
