import { type BucketAddress, StorageUnavailable, StorageUnusable } from './port.ts'

/** What the AWS client adds to an error. */
interface ClientError {
  name: string
  message: string
  /** The code of the operating system. */
  code?: string
  /** The host that was looked up. */
  hostname?: string
  $metadata?: { httpStatusCode?: number }
  $response?: { headers?: Record<string, string> }
  Region?: string
}

const wrongRegion = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
])

export function isNotFound(error: unknown): boolean {
  const { name, $metadata } = error as ClientError
  return (
    name === 'NoSuchKey' ||
    name === 'NoSuchUpload' ||
    (name === 'NotFound' && $metadata?.httpStatusCode === 404)
  )
}

/** Whether a request on the condition that there is no such object was refused. */
export function isNameTaken(error: unknown): boolean {
  return (error as ClientError).name === 'PreconditionFailed'
}

/**
 * Whether another attempt to store an object may succeed: the connection failed, the server said that the fault is its
 * own, or the key is taken, perhaps by an earlier attempt.
 */
export function isTransient(error: unknown): boolean {
  const { name, code, $metadata } = error as ClientError
  const status = $metadata?.httpStatusCode
  // Errors of a connection have a code.
  if (status === undefined) return code !== undefined || name === 'TimeoutError'
  // A file whose hash does not match was damaged on its way: it was hashed while it was spooled.
  return status >= 500 || [409, 412, 429].includes(status) || name === 'BadDigest'
}

function describeReason({ name, message, code }: ClientError): string {
  if (name === 'AbortError' || name === 'TimeoutError') return 'it did not answer in time'
  const text = (message || code || name).replace(/\.$/, '')
  return name === 'Error' || text.includes(name) ? text : `${text} (${name})`
}

/** Any failed call, except one for a file that does not exist. */
export function toUnavailable(cause: unknown): StorageUnavailable {
  return cause instanceof StorageUnavailable
    ? cause
    : new StorageUnavailable(`The file storage is unavailable: ${describeReason(cause as ClientError)}.`, {
        cause,
      })
}

function describeUnknownHost(host: string, { endpoint, forcePathStyle }: BucketAddress): string {
  if (endpoint === undefined) return `The host ${host} cannot be found. Check AWS_REGION.`
  return `The host ${host} cannot be found. Check S3_ENDPOINT${forcePathStyle ? '' : ', or set S3_FORCE_PATH_STYLE=true'}.`
}

function findFault(error: ClientError, address: BucketAddress): string | null {
  const { bucket, endpoint } = address
  const { name, code, hostname, message, $metadata, $response, Region } = error
  const status = $metadata?.httpStatusCode
  if (name === 'CredentialsProviderError')
    return `There are no credentials for the bucket ${bucket}. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role.`
  if (message === 'Region is missing') return `Set AWS_REGION to the region of the bucket ${bucket}.`
  if (code === 'ENOTFOUND') return describeUnknownHost(hostname ?? '', address)
  if (name === 'NoSuchBucket')
    return `There is no bucket ${bucket} at ${endpoint ?? 'AWS'}. Create it, or correct its name or S3_ENDPOINT.`
  if (wrongRegion.has(name)) {
    const region = Region ?? $response?.headers?.['x-amz-bucket-region']
    return `The bucket ${bucket} is in ${region ? `the region ${region}` : 'another region'}. Set AWS_REGION to it.`
  }
  if (status === 401 || status === 403)
    return `Access to the bucket ${bucket} was denied (${name}). Check the credentials, and that they may list, read, write and delete objects.`
  return null
}

function describeUnexpected({ $metadata }: ClientError, endpoint: string | undefined): string | null {
  const status = $metadata?.httpStatusCode
  return status === undefined || status >= 500 || status === 429 ? null : describeStranger(endpoint)
}

export function describeStranger(endpoint: string | undefined): string {
  return `The server at ${endpoint ?? 'AWS'} does not answer like an S3 server. Check S3_ENDPOINT.`
}

/** Describes why the bucket cannot be opened. */
export function toBucketError(error: unknown, address: BucketAddress): StorageUnusable | StorageUnavailable {
  const cause = error as ClientError
  const fault = findFault(cause, address) ?? describeUnexpected(cause, address.endpoint)
  if (fault !== null) return new StorageUnusable(fault, { cause })
  return new StorageUnavailable(`The bucket ${address.bucket} cannot be reached: ${describeReason(cause)}.`, {
    cause,
  })
}

/** Describes why a request to a bucket failed that could be opened. */
export function toOperationError(
  error: unknown,
  address: BucketAddress,
): StorageUnusable | StorageUnavailable {
  if (error instanceof StorageUnavailable || error instanceof StorageUnusable) return error
  const cause = error as ClientError
  const fault = findFault(cause, address)
  if (fault !== null) return new StorageUnusable(fault, { cause })
  return new StorageUnavailable(
    `The bucket ${address.bucket} does not work right now: ${describeReason(cause)}.`,
    { cause },
  )
}
